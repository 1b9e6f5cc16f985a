"use strict";

const REQUESTS = 40;
const byId = (id) => document.getElementById(id);
const chat = document.querySelector("support-chat");

/** One square for each request: passed, queued, or under way. */
function draw(states) {
  const dots = byId("dots");
  if (dots.childElementCount !== states.length) {
    dots.replaceChildren(...states.map(() => document.createElement("span")));
  }
  states.forEach((state, at) => {
    dots.children[at].className = state;
  });
  const count = (wanted) => states.filter((state) => state === wanted).length;
  const words = `${count("served")} passed, ${count("rejected")} queued`;
  dots.setAttribute("aria-label", `${states.length} requests: ${words}`);
  return words;
}

/** Shows this visitor's budget, as the responses report it. */
function drain({ limit, left, words }) {
  const gauge = byId("gauge");
  gauge.setAttribute("aria-valuemax", limit);
  gauge.setAttribute("aria-valuenow", left);
  gauge.setAttribute("aria-valuetext", words);
  gauge.classList.toggle("spent", left === 0);
  gauge.firstElementChild.style.width = `${(left / limit) * 100}%`;
  byId("left").textContent = words;
}

/** Shows a response's status and its fields about limits. */
function show(response) {
  const fields = [...response.headers].filter(([name]) => /ratelimit|retry-after|cache-control/.test(name));
  byId("last").hidden = false;
  byId("response").textContent = [
    `${response.status} ${response.statusText}`.trim(),
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ].join("\n");
}

async function burst() {
  const button = byId("burst");
  button.disabled = true;
  const states = Array(REQUESTS).fill("");
  const become = (at, state, response) => {
    states[at] = state;
    if (response) { // none without a network
      show(response);
    }
    const words = draw(states);
    if (!states.includes("")) {
      byId("told").textContent = states.includes("rejected") ? words : `All ${REQUESTS} requests passed`;
    }
  };
  draw(states);
  byId("told").textContent = "";
  await Promise.all(states.map(async (unused, at) => {
    const body = { email: `visitor-${at + 1}@example.org`, note: "sent by the demonstration" };
    const response = await chat.send("leads", body, { atOnce: true, rejected: (response) => become(at, "rejected", response) });
    become(at, response.ok ? "served" : "failed", response);
  }));
  button.disabled = false;
}

async function store(away) {
  const told = byId("store-told");
  const response = await fetch("/demo/store", away === undefined ? {} : {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ away }),
  }).catch(() => null);
  if (response === null || !response.ok) {
    told.textContent = response?.status === 401
      ? "Only an administrator can do this. Show the live page first, and sign in there."
      : "The server did not answer. Try again in a moment.";
    return;
  }
  const now = await response.json();
  byId("store").setAttribute("aria-checked", now.away);
  told.textContent = now.away
    ? "Outage: each limiter counts in memory, from zero."
    : "The store decides again, with its counts from before.";
}

/** Shows the live page on request only, because the browser then asks for the password. */
function watch() {
  const frame = document.createElement("iframe");
  frame.title = "Live limits";
  frame.src = "/limits#limiter-widget-leads";
  byId("live").replaceChildren(frame);
  byId("watch").hidden = true;
}

chat.addEventListener("budget", ({ detail }) => {
  if (detail.name === "leads") {
    drain(detail);
  }
});
byId("burst").addEventListener("click", burst);
byId("watch").addEventListener("click", watch);
byId("outage").hidden = document.body.dataset.controls !== "true";
byId("store").addEventListener("click", () => store(byId("store").getAttribute("aria-checked") !== "true"));
