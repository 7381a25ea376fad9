// Is each chart of a page drawn whole: all series, axes named, nothing over anything else or cut?
// A line for each fact or fault goes to the page around this one.
"use strict";
{
const facts = [];
const slack = 1;
const isWithin = (low, high, most) => low >= -slack && high <= most + slack;

function legendFaults(chart) {
    const faults = [];
    const boxes = chart.legend?.options.display ? chart.legend.legendHitBoxes : [];
    boxes.forEach((box, i) => {
        if (!isWithin(box.left, box.left + box.width, chart.width) ||
            !isWithin(box.top, box.top + box.height, chart.height)) {
            faults.push(`legend entry ${i} is cut`);
        }
        for (const other of boxes.slice(0, i)) {
            if (box.left + slack < other.left + other.width && other.left + slack < box.left +
                box.width && box.top + slack < other.top + other.height &&
                other.top + slack < box.top + box.height) {
                faults.push(`legend entry ${i} overlaps another`);
            }
        }
    });
    return faults;
}

// As the library draws them: centred at the tick, in its own font.
function tickFaults(chart, scale) {
    const font = Chart.defaults.font;
    chart.ctx.font = `${font.size}px ${font.family}`;
    const labels = scale.ticks.map((tick, i) => {
        const half = scale.isHorizontal() ? chart.ctx.measureText(tick.label).width / 2
                                          : font.size / 2;
        return {said: tick.label, at: scale.getPixelForTick(i), half};
    }).filter((label) => label.said !== "").sort((a, b) => a.at - b.at);
    const faults = [];
    labels.forEach((label, i) => {
        const size = scale.isHorizontal() ? chart.width : chart.height;
        if (!isWithin(label.at - label.half, label.at + label.half, size)) {
            faults.push(`tick "${label.said}" of ${scale.id} is cut`);
        }
        const next = labels[i + 1];
        if (next && label.at + label.half > next.at - next.half + slack) {
            faults.push(`ticks "${label.said}" and "${next.said}" of ${scale.id} overlap`);
        }
    });
    if (labels.length < 2) {
        faults.push(`${scale.id} has ${labels.length} ticks`);
    }
    return faults;
}

// Pixels that are neither paper, ink nor grid.
function colouredPixels(chart) {
    const {data} = chart.ctx.getImageData(0, 0, chart.canvas.width, chart.canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
        const most = Math.max(data[i], data[i + 1], data[i + 2]);
        const least = Math.min(data[i], data[i + 1], data[i + 2]);
        count += data[i + 3] > 128 && most - least > 60 ? 1 : 0;
    }
    return count;
}

function look(id) {
    const chart = Chart.getChart(id);
    if (!chart) {
        facts.push(`fault: ${id} is not drawn`);
        return;
    }
    const series = chart.data.datasets.map((one) => `${one.label} ${one.data.length > 0 ? "full"
                                                                                       : "empty"}`);
    const axes = Object.values(chart.scales).map((scale) => scale.options.title.text);
    facts.push(`${id}: ${series.join(", ")}; axes ${axes.join(", ")}; ` +
               `${colouredPixels(chart) > 200 ? "coloured" : "blank"}`);
    const faults = legendFaults(chart);
    Object.values(chart.scales).forEach((scale) => faults.push(...tickFaults(chart, scale)));
    facts.push(...faults.map((fault) => `fault: ${id}: ${fault}`));
}

// On a phone they may be moved sideways, elsewhere a column that is not seen is not looked for.
function tableFaults() {
    if (window.innerWidth < 800) {
        return [];
    }
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
    return [...document.querySelectorAll(".scroll")]
        .filter((table) => table.scrollWidth > table.clientWidth + slack)
        .map((table) => `fault: table "${table.getAttribute("aria-label")}" is cut`);
}

function lookAtAll() {
    for (const id of ["gpus", "completion", "use"]) {
        look(id);
        const box = document.getElementById(id);
        if (!box.getAttribute("role") || !document.getElementById(`${id}-table`).textContent) {
            facts.push(`fault: ${id} has no words for who does not see it`);
        }
    }
    const wide = document.documentElement.scrollWidth;
    if (wide > window.innerWidth) {
        facts.push(`fault: the page is ${wide} wide on ${window.innerWidth}`);
    }
    facts.push(...tableFaults());
    const paper = getComputedStyle(document.body).backgroundColor;
    facts.push(`${window.innerWidth} wide, paper ${paper}`);
    const choice = document.getElementById("policy");
    for (const option of choice.options) {
        choice.value = option.value;
        choice.dispatchEvent(new Event("change"));
        const drawn = Chart.getChart("gpus").data.datasets[0];
        facts.push(`shows ${option.text}: ${drawn.label}, ${drawn.data.length > 0 ? "full"
                                                                                  : "empty"}`);
    }
    facts.push("looked at all");
    parent.postMessage(facts.join("\n"), "*");
}

window.addEventListener("error", (event) => facts.push("fault: " + event.message));
window.addEventListener("load", () => setTimeout(lookAtAll, 100));
}
