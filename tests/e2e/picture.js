// What does a browser make of pictures that stand as text in a page? A line for each fact or fault
// goes into the element "facts".
"use strict";

const facts = [];
window.addEventListener("error", (event) => facts.push("fault: " + event.message));

// Boxes of lines may touch, their letters may not.
const slack = 1;

function overlap(a, b) {
    return a.left + slack < b.right - slack && b.left + slack < a.right - slack &&
           a.top + slack < b.bottom - slack && b.top + slack < a.bottom - slack;
}

function isInside(inner, outer) {
    return inner.left >= outer.left - slack && inner.right <= outer.right + slack &&
           inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
}

function faultsOf(picture) {
    const faults = [];
    const whole = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")].map(
        (text) => ({said: text.textContent, area: text.getBoundingClientRect()}));
    for (const [i, text] of texts.entries()) {
        if (!isInside(text.area, whole)) {
            faults.push(`"${text.said}" is outside`);
        }
        for (const other of texts.slice(0, i)) {
            if (overlap(text.area, other.area)) {
                faults.push(`"${text.said}" overlaps "${other.said}"`);
            }
        }
    }
    for (const group of picture.querySelectorAll("g")) {
        const box = group.querySelector("rect");
        for (const text of box ? group.querySelectorAll("text") : []) {
            if (!isInside(text.getBoundingClientRect(), box.getBoundingClientRect())) {
                faults.push(`"${text.textContent}" leaves its box`);
            }
        }
    }
    for (const part of picture.querySelectorAll("rect, path")) {
        if (!isInside(part.getBoundingClientRect(), whole)) {
            faults.push(`${part.outerHTML} is outside`);
        }
    }
    return faults;
}

function look(source) {
    const name = source.id;
    const parsed = new DOMParser().parseFromString(source.textContent.trim(), "image/svg+xml");
    const error = parsed.querySelector("parsererror");
    if (error) {
        facts.push(`fault: ${name}: ${error.textContent}`);
        return;
    }
    const picture = document.importNode(parsed.documentElement, true);
    document.body.append(picture);
    const count = (what) => picture.querySelectorAll(what).length;
    const labelled = [...picture.querySelectorAll("g.gpu")].filter(
        (gpu) => /^GPU \d+/.test(gpu.querySelector("text").textContent));
    facts.push(`${name}: ${labelled.length} of ${count("g.gpu")} GPUs labelled, ` +
               `${count("g.ring")} ring, ${count("g.slowest")} slowest, ` +
               `${count("g.legend text") > 0 ? "a" : "no"} legend, ` +
               `titled "${picture.querySelector("title").textContent}"`);
    facts.push(...faultsOf(picture).map((fault) => `fault: ${name}: ${fault}`));
}

for (const source of document.querySelectorAll("script[type='image/svg+xml']")) {
    look(source);
}
facts.push("looked at all");
document.getElementById("facts").textContent = facts.join("\n");
