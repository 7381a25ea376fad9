// Draws the calls of each rank over a chart of Chart.js, which has the axes, from the numbers in the
// element "data".
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("lanes");
const said = document.getElementById("call");
const isDark = window.matchMedia("(prefers-color-scheme: dark)");
// Distinct for people who see few colours as well (Okabe and Ito), one set for each background.
const lightColours = ["#0072b2", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5b4a8a", "#7f7f7f"];
const darkColours = ["#56b4e9", "#2fc08e", "#e495c0", "#f0e442", "#4f9bd6", "#b3a2e8", "#a0a0a0"];
const colour = (i) => (isDark.matches ? darkColours : lightColours)[i % lightColours.length];
const lateColour = () => (isDark.matches ? "#ff9b54" : "#d55e00");
const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();

const width = 8;  // numbers of a call: begin, duration, function, communicator, seq, bytes, peer, row
const mostRows = 4;
const lanes = data.ranks.map(({calls}) => {
    const count = calls.length / width;
    // Up to each call, when all of them are over: where a search from the left may begin.
    const over = new Float64Array(count);
    let rows = 1;
    for (let i = 0; i < count; ++i) {
        const end = calls[i * width] + calls[i * width + 1];
        over[i] = Math.max(end, i > 0 ? over[i - 1] : 0);
        rows = Math.min(mostRows, Math.max(rows, calls[i * width + 7] + 1));
    }
    return {calls, count, over, rows, marks: new Map()};
});
for (const mark of data.marks) {
    const list = lanes[mark[0]].marks;
    list.set(mark[1], [...(list.get(mark[1]) || []), mark]);
}
const whole = Math.max(1, ...lanes.map(({over, count}) => (count > 0 ? over[count - 1] : 0)),
                       ...data.ranks.flatMap(({steps}) => steps.map(([, at]) => at)));
const margin = whole * 0.01;
let from = -margin;
let to = whole + margin;

// With as many digits as a hundredth of the span takes.
function timeText(microseconds, span = Math.abs(microseconds)) {
    const [name, size] = [["s", 1e6], ["ms", 1e3]].find(
        ([, size]) => Math.abs(microseconds) >= size) || ["µs", 1];
    const digits = Math.ceil(Math.log10(size / Math.max(span / 100, 0.1)));
    return `${(microseconds / size).toFixed(Math.max(0, Math.min(7, digits)))} ${name}`;
}

function bytesText(bytes) {
    const [name, size] = [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]].find(([, size]) => bytes >= size)
        || ["B", 1];
    return `${Number((bytes / size).toPrecision(4))} ${name}`;
}

// The first index of `count` for which `holds` does, which then holds for all behind it.
function firstThat(count, holds) {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (holds(middle)) high = middle; else low = middle + 1;
    }
    return low;
}

// A lane's rows share its height.
function place(chart, lane) {
    const {y} = chart.scales;
    const height = (y.bottom - y.top) / lanes.length;
    const top = y.top + height * lane + height * 0.18;
    return {top, row: height * 0.64 / lanes[lane].rows};
}

function triangle(context, x, top, size) {
    context.beginPath();
    context.moveTo(x - size, top - size * 1.4);
    context.lineTo(x + size, top - size * 1.4);
    context.lineTo(x, top);
    context.fill();
}

function drawLane(chart, lane) {
    const {calls, count, over, rows, marks} = lanes[lane];
    const {x} = chart.scales;
    const context = chart.ctx;
    const {top, row} = place(chart, lane);
    const first = firstThat(count, (i) => over[i] >= from);
    const end = firstThat(count, (i) => calls[i * width] > to);
    const drawn = new Array(rows).fill(-1);  // by row: up to which pixel
    const marked = [];
    for (let i = first; i < end; ++i) {
        const at = i * width;
        const left = x.getPixelForValue(Math.max(calls[at], from));
        const right = x.getPixelForValue(Math.min(calls[at] + calls[at + 1], to));
        const own = Math.min(calls[at + 7], rows - 1);
        if (marks.has(i)) marked.push([i, left, right, top + own * row]);
        // Many within a pixel are one to the eye.
        if (right < drawn[own] && right - left < 1) continue;
        context.fillStyle = colour(calls[at + 2]);
        context.fillRect(left, top + own * row, Math.max(right - left, 1), Math.max(row - 1, 1));
        drawn[own] = Math.floor(Math.max(right, left + 1));
    }
    for (const [i, left, right, y] of marked) {
        for (const [, , late] of marks.get(i)) {
            context.fillStyle = late === lane ? lateColour() : ink();
            triangle(context, late === lane ? left : right, y, 4);
        }
    }
    context.fillStyle = ink();
    for (const [, at] of data.ranks[lane].steps) {
        if (at >= from && at <= to) context.fillRect(x.getPixelForValue(at), top + row * rows, 1, 4);
    }
}

const painter = {
    id: "calls",
    afterDatasetsDraw(chart) {
        const {left, top, right, bottom} = chart.chartArea;
        chart.ctx.save();
        chart.ctx.beginPath();
        chart.ctx.rect(left, top, right - left, bottom - top);
        chart.ctx.clip();
        lanes.forEach((_, lane) => drawLane(chart, lane));
        chart.ctx.restore();
    },
};

let chart = null;
function draw() {
    const style = getComputedStyle(document.documentElement);
    Chart.defaults.color = style.getPropertyValue("--ink").trim();
    Chart.defaults.borderColor = style.getPropertyValue("--line").trim();
    Chart.defaults.font.family = "system-ui, sans-serif";
    const rows = lanes.reduce((sum, lane) => sum + Math.max(2, lane.rows + 1), 0);
    document.getElementById("lanes-box").style.height = `${Math.max(160, 70 + 12 * rows)}px`;
    chart?.destroy();
    chart = new Chart(canvas, {
        type: "bar",
        data: {labels: data.ranks.map(({name}) => name), datasets: [{data: []}]},
        options: {
            indexAxis: "y", animation: false, maintainAspectRatio: false, events: [],
            layout: {padding: {right: 20}},
            scales: {
                x: {type: "linear", min: from, max: to, title: {display: true, text: "Time"},
                    ticks: {maxRotation: 0, autoSkipPadding: 16,
                            callback: (value) => (value < 0 ? "" : timeText(value, to - from))}},
                y: {title: {display: true, text: "Rank"}, grid: {display: false},
                    ticks: {autoSkip: false}}},
            plugins: {legend: {display: false}, tooltip: {enabled: false}},
        },
        plugins: [painter],
    });
    drawKey();
}

function drawKey() {
    const entries = data.operations.map((name, i) => ["■", colour(i), name]);
    if (data.marks.some(([lane, , late]) => lane === late)) {
        entries.push(["▼", lateColour(), "late: the others waited for it"]);
    }
    if (data.marks.some(([lane, , late]) => lane !== late)) {
        entries.push(["▼", ink(), "went ahead of a late rank"]);
    }
    if (data.ranks.some(({steps}) => steps.length > 0)) entries.push(["❘", ink(), "step"]);
    document.getElementById("key").replaceChildren(...entries.map(([sign, fill, text]) => {
        const entry = document.createElement("span");
        const mark = document.createElement("span");
        mark.style.color = fill;
        mark.textContent = sign;
        entry.append(mark, ` ${text}`);
        return entry;
    }));
}

function show(begin, end) {
    const least = 1;  // microsecond
    const span = Math.min(Math.max(end - begin, least), whole + 2 * margin);
    from = Math.min(Math.max(begin, -margin), whole + margin - span);
    to = from + span;
    chart.options.scales.x.min = from;
    chart.options.scales.x.max = to;
    chart.update("none");
}

// Around a time that stays where it is.
function zoom(factor, around = (from + to) / 2) {
    show(around - (around - from) * factor, around + (to - around) * factor);
}
const move = (share) => show(from + share * (to - from), to + share * (to - from));

function callAt(px, py) {
    const time = chart.scales.x.getValueForPixel(px);
    const slack = 2 * (to - from) / (chart.chartArea.right - chart.chartArea.left);
    const {top, bottom} = chart.scales.y;
    const lane = Math.floor((py - top) / (bottom - top) * lanes.length);
    if (lane < 0 || lane >= lanes.length) return null;
    const {calls, count, over, rows} = lanes[lane];
    const {top: above, row} = place(chart, lane);
    const own = Math.floor((py - above) / row);
    let best = null;
    for (let i = firstThat(count, (n) => over[n] >= time - slack); i < count; ++i) {
        if (calls[i * width] > time + slack) break;
        const isOver = calls[i * width] + calls[i * width + 1] >= time - slack;
        if (isOver && Math.min(calls[i * width + 7], rows - 1) === own) best = {lane, i};
    }
    return best;
}

function describe({lane, i}) {
    const {calls, marks} = lanes[lane];
    const [begin, duration, operation, communicator, seq, bytes, peer] =
        calls.slice(i * width, (i + 1) * width);
    const notes = (marks.get(i) || []).map(([, , late, by, pieces]) => {
        if (late === lane) return `; late by ${timeText(by)}`;
        const other = `rank ${data.ranks[late].rank}`;
        return pieces > 0 ? `; did not wait for ${other} with ${pieces} pieces`
            : `; ended ${timeText(by)} before ${other} began`;
    });
    return `Rank ${data.ranks[lane].rank}: ${data.operations[operation]}` +
        `${peer < 0 ? "" : ` with rank ${peer}`} ${seq} in ${data.communicators[communicator]}, ` +
        `${bytesText(bytes)}, from ${timeText(begin, to - from)} for ${timeText(duration)}` +
        notes.join("");
}

// Beyond the time that is shown, or else from the start.
function nextMark() {
    const middle = (from + to) / 2;
    const at = ([lane, call]) => lanes[lane].calls[call * width];
    const sorted = data.marks.filter(([lane, , late, , pieces]) => lane === late || pieces > 0)
        .sort((a, b) => at(a) - at(b));
    const next = sorted.find((mark) => at(mark) > middle + 0.5) || sorted[0];
    if (!next) return;
    const span = Math.min(to - from, 20 * Math.max(next[3], 10));
    show(at(next) - span / 2, at(next) + span / 2);
    said.textContent = describe({lane: next[0], i: next[1]});
}

const inCanvas = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
};
canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, chart.scales.x.getValueForPixel(inCanvas(event)[0]));
}, {passive: false});
let held = null;
canvas.addEventListener("pointerdown", (event) => {
    held = {x: event.clientX, from, to};
    canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => { held = null; });
canvas.addEventListener("pointermove", (event) => {
    if (held) {
        const {left, right} = chart.chartArea;
        const by = (held.x - event.clientX) / (right - left) * (held.to - held.from);
        show(held.from + by, held.to + by);
        return;
    }
    const found = callAt(...inCanvas(event));
    if (found) said.textContent = describe(found);
});
canvas.addEventListener("keydown", (event) => {
    const keys = {"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
                  ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25),
                  "0": () => show(-margin, whole + margin)};
    if (keys[event.key]) {
        event.preventDefault();
        keys[event.key]();
    }
});
document.getElementById("closer").addEventListener("click", () => zoom(0.5));
document.getElementById("wider").addEventListener("click", () => zoom(2));
document.getElementById("all").addEventListener("click", () => show(-margin, whole + margin));
const next = document.getElementById("next");
next.hidden = data.marks.length === 0;
next.addEventListener("click", nextMark);
isDark.addEventListener("change", draw);
const fit = () => chart.resize();
window.addEventListener("beforeprint", fit);
window.addEventListener("afterprint", fit);
draw();
})();
