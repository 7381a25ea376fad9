// Draws the page's charts with Chart.js from the numbers in the element "data".
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const isDark = window.matchMedia("(prefers-color-scheme: dark)");
// Distinct for people who see few colours as well (Okabe and Ito), one set for each background.
const lightColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5b4a8a"];
const darkColours = ["#56b4e9", "#e69f00", "#2fc08e", "#e495c0", "#f0e442", "#4f9bd6", "#b3a2e8"];
// Lines that lie on each other show through each other's gaps: the first is whole and lowest.
const dashes = [[], [9, 4], [3, 3], [12, 3, 3, 3]];
const charts = new Map();

const colour = (i) => (isDark.matches ? darkColours : lightColours)[i % lightColours.length];
const dash = (i) => dashes[i % dashes.length];

// Neighbouring jobs differ in hue, and each shows on both backgrounds.
function jobColour(job) {
    return `hsl(${(job * 137.508) % 360} 60% ${isDark.matches ? 60 : 48}%)`;
}

// The unit in which so many seconds are easy to read.
function unitFor(seconds) {
    const units = [["d", 86400], ["h", 3600], ["min", 60]];
    const [name, size] = units.find(([, size]) => seconds >= 3 * size) || ["s", 1];
    return {name, size};
}

function timeText(seconds) {
    const unit = unitFor(seconds);
    return `${Number((seconds / unit.size).toPrecision(3))} ${unit.name}`;
}

const lastEnd = (run) => run.use.slice * run.use.held.length;
const span = Math.max(1, ...data.runs.map(lastEnd));

function timeAxis(title, unit, more = {}) {
    return {type: "linear", title: {display: true, text: `${title} (${unit.name})`}, min: 0,
            ticks: {maxRotation: 0}, ...more};
}

function shareAxis(title) {
    return {min: 0, max: 1, title: {display: true, text: title},
            ticks: {format: {style: "percent", minimumFractionDigits: 0,
                               maximumFractionDigits: 0}}};
}

function draw(id, configuration) {
    charts.get(id)?.destroy();
    // Half of the last label of an axis stands beyond it.
    configuration.options = {animation: false, maintainAspectRatio: false, normalized: true,
                             layout: {padding: {right: 20}}, ...configuration.options};
    charts.set(id, new Chart(document.getElementById(id), configuration));
}

// One row a GPU; where there are too many, how much jobs of each size hold.
function drawGpus() {
    const run = data.runs[document.getElementById("policy").value || 0];
    const unit = unitFor(span);
    const box = document.getElementById("gpus-box");
    document.getElementById("gpus-says").textContent = run.bars === null
        ? "How many GPUs jobs of each size hold; there are too many for a row each."
        : "Each colour is a job; it grows and shrinks where it takes more or fewer rows.";
    if (run.bars === null) {
        box.style.height = "";
        drawSizes(run, unit);
        return;
    }
    const rows = run.bars.reduce((most, bar) => Math.max(most, bar[0] + bar[1]), run.gpus);
    box.style.height = `${Math.max(240, 90 + 14 * rows)}px`;
    const cells = run.bars.flatMap(([first, count, start, end, job]) =>
        Array.from({length: count}, (_, i) => (
            {x: [start / unit.size, end / unit.size], y: String(first + i), job, count})));
    draw("gpus", {
        type: "bar",
        data: {labels: Array.from({length: rows}, (_, i) => String(i)),
               datasets: [{label: run.policy, data: cells, barPercentage: 1,
                           categoryPercentage: 0.9, grouped: false, minBarLength: 1,
                           backgroundColor: cells.map((cell) => jobColour(cell.job))}]},
        options: {
            indexAxis: "y",
            scales: {x: timeAxis("Time since the first submission", unit, {suggestedMax: span / unit.size}),
                     y: {title: {display: true, text: "GPU"}, grid: {display: false}}},
            plugins: {legend: {display: false}, tooltip: {callbacks: {
                title: (items) => `Job ${run.labels[items[0].raw.job]}`,
                label: ({raw}) => `${raw.count} GPU${raw.count === 1 ? "" : "s"}, from ${timeText(raw.x[0] * unit.size)} ` +
                                  `to ${timeText(raw.x[1] * unit.size)}`}}}},
    });
}

function drawSizes(run, unit) {
    const at = (i) => i * run.use.slice / unit.size;
    draw("gpus", {
        type: "line",
        data: {datasets: data.classes.map((name, i) => ({
            label: name, stack: "held", fill: true, stepped: true, pointRadius: 0, borderWidth: 1,
            borderColor: colour(i), backgroundColor: colour(i),
            data: run.use.held.map((held, slice) => ({x: at(slice), y: held[i]}))}))},
        options: {scales: {
            x: timeAxis("Time since the first submission", unit, {suggestedMax: span / unit.size}),
            y: {stacked: true, min: 0, max: run.gpus,
                title: {display: true, text: "GPUs held, by size of the job"}}}},
    });
}

// As the library labels it (1, 2 and 5 of each power of ten), without zeros behind.
function powerLabel(value, index, ticks) {
    const label = Chart.Ticks.formatters.logarithmic.call(this, value, index, ticks);
    return label === "" ? "" : String(Number(value.toPrecision(3)));
}

function drawCompletion() {
    const longest = Math.max(1, ...data.runs.flatMap((run) => run.curve.map(([time]) => time)));
    const shortest = Math.max(1, Math.min(...data.runs.flatMap(
        (run) => run.curve.map(([time]) => time))));
    const isWide = longest / shortest >= 20;
    const unit = unitFor(isWide ? Math.sqrt(longest * shortest) : longest);
    draw("completion", {
        type: "line",
        data: {datasets: data.runs.map((run, i) => ({
            label: run.policy, borderColor: colour(i), backgroundColor: colour(i), order: -i,
            borderDash: dash(i), borderWidth: 2, pointRadius: 0, pointHitRadius: 8, stepped: true,
            data: [{x: shortest / unit.size, y: 0}].concat(run.curve.map(([time, share]) => (
                {x: Math.max(time, shortest) / unit.size, y: share})))}))},
        options: {
            interaction: {mode: "nearest", intersect: false},
            scales: {x: isWide
                         ? {type: "logarithmic",
                            ticks: {maxRotation: 0, autoSkipPadding: 12, callback: powerLabel},
                            min: shortest / unit.size, max: longest / unit.size,
                            title: {display: true, text: `Completion time (${unit.name})`}}
                         : timeAxis("Completion time", unit, {suggestedMax: longest / unit.size}),
                     y: shareAxis("Share of the jobs")},
            plugins: {legend: {reverse: true}, tooltip: {callbacks: {
                title: () => "",
                label: ({dataset, parsed}) => `${dataset.label}: ${Math.round(100 * parsed.y)} % ` +
                    `within ${timeText(parsed.x * unit.size)}`}}}},
    });
}

function drawUse() {
    const unit = unitFor(span);
    const sum = (held) => held.reduce((a, b) => a + b, 0);
    // What happened may have held more than the cluster that was given.
    const mostHeld = Math.max(...data.runs.flatMap(
        (run) => run.use.held.map((held) => sum(held) / Math.max(run.gpus, 1))));
    draw("use", {
        type: "line",
        data: {datasets: data.runs.map((run, i) => ({
            label: run.policy, borderColor: colour(i), backgroundColor: colour(i), order: -i,
            borderDash: dash(i), borderWidth: 1.5, pointRadius: 0, pointHitRadius: 8,
            stepped: true,
            data: run.use.held.map((held, slice) => (
                {x: slice * run.use.slice / unit.size, y: sum(held) / Math.max(run.gpus, 1)}))}))},
        options: {
            interaction: {mode: "nearest", intersect: false},
            scales: {x: timeAxis("Time since the first submission", unit, {suggestedMax: span / unit.size}),
                     y: {...shareAxis("GPUs held"), max: mostHeld > 1.001 ? mostHeld : 1}},
            plugins: {legend: {reverse: true}, tooltip: {callbacks: {
                title: () => "",
                label: ({dataset, parsed}) => `${dataset.label}: ${Math.round(100 * parsed.y)} % ` +
                    `at ${timeText(parsed.x * unit.size)}`}}}},
    });
}

function drawAll() {
    const style = getComputedStyle(document.documentElement);
    Chart.defaults.color = style.getPropertyValue("--ink").trim();
    Chart.defaults.borderColor = style.getPropertyValue("--line").trim();
    Chart.defaults.font.family = "system-ui, sans-serif";
    drawGpus();
    drawCompletion();
    drawUse();
}

const choice = document.getElementById("policy");
data.runs.forEach((run, i) => choice.add(new Option(run.policy, i)));
choice.closest("p").hidden = data.runs.length < 2;
choice.addEventListener("change", drawGpus);
isDark.addEventListener("change", drawAll);
// Paper has another width than the window.
const fit = () => charts.forEach((chart) => chart.resize());
window.addEventListener("beforeprint", fit);
window.addEventListener("afterprint", fit);
drawAll();
})();
