"use strict";

// Each frame says everything there is to show: one that is missed is not missed.

const POINTS = 90;
const TOO_LATE_MILLIS = 5000;
const AGAIN_MILLIS = 10000;
const SVG = "http://www.w3.org/2000/svg";

const whole = new Intl.NumberFormat("en");
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const byId = (id) => document.getElementById(id);
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

const STORE = {
  unknown: ["Not asked yet", "There was no decision yet."],
  answering: ["Answers", "The store decides."],
  away: ["Away", "The store does not always answer. The policy of each limiter is below."],
};
/** The stores of the library in words; another one's class says nothing to a reader. */
const KIND = { InProcessStore: "In memory.", RedisStore: "Redis.", PostgresStore: "PostgreSQL." };
const FAILURE = {
  local: "Fall back to memory (local)",
  allow: "Allow all requests (allow)",
  reject: "Reject all requests with 503 (reject)",
};

/** Makes an element; sets text only where it changed, so that a selection or a screen reader's place stays. */
function element(name, className, parent) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  parent?.append(made);
  return made;
}

function write(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function duration(millis) {
  const seconds = Math.ceil(millis / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) {
    return `${hours} h ${minutes} min`;
  }
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Counts bytes in units where a limit is a whole number of mebibytes, as no limit of requests is. */
function amount(permits, count) {
  if (permits === 0 || permits % 1048576 !== 0) {
    return whole.format(count);
  }
  const units = [[1073741824, "GiB"], [1048576, "MiB"], [1024, "KiB"]];
  const [size, name] = units.find(([each]) => count >= each) ?? [1, "bytes"];
  return `${tenths.format(Math.floor(count / size * 10) / 10)} ${name}`;
}

function period(millis) {
  const units = [[86400000, "day"], [3600000, "hour"], [60000, "minute"], [1000, "second"]];
  const [size, name] = units.find(([each]) => millis % each === 0) ?? [1, "millisecond"];
  const count = millis / size;
  return count === 1 ? name : `${whole.format(count)} ${name}s`;
}

/** Counts that begin late are shown as if they had begun with zeros. */
function filled(points) {
  return [...Array(POINTS - points.length).fill(0), ...points];
}

/** Bars from the middle line: allowed upwards, rejected downwards, on one scale. */
function bars(points, scale, downwards) {
  return points.map((count, at) => {
    const height = count === 0 ? 0 : Math.max(1, count * scale);
    return count === 0 ? "" : `M${at} 26v${downwards ? height : -height}h.8v${downwards ? -height : height}z`;
  }).join("");
}

class RuleView {
  constructor(parent) {
    this.root = element("div", "rule", parent);
    const above = element("p", "", this.root);
    this.name = element("span", "", above);
    this.left = element("span", "left", above);
    this.gauge = element("div", "gauge", this.root);
    this.gauge.setAttribute("role", "meter");
    this.gauge.setAttribute("aria-valuemin", "0");
    this.fill = element("div", "fill", this.gauge);
    const below = element("p", "quiet", this.root);
    this.limit = element("span", "", below);
    this.reset = element("span", "", below);
  }

  show(limiter, rule) {
    const share = rule.remaining / rule.permits;
    const open = rule.resetMillis > 0;
    const isConcurrent = rule.windowMillis === 0;
    const left = `${amount(rule.permits, rule.remaining)} left`;
    const inUse = isConcurrent ? "in use" : `resets in ${duration(rule.resetMillis)}`;
    const reset = open ? inUse : "not in use";
    this.root.classList.toggle("near", share <= 0.2 && rule.remaining > 0);
    this.root.classList.toggle("spent", rule.remaining === 0);
    const permits = `${amount(rule.permits, rule.permits)} ${isConcurrent ? "at a time" : `per ${period(rule.windowMillis)}`}${rule.soft ? ", soft" : ""}`;
    const isNamed = rule.name !== limiter; // the only rule of a limiter is called as it is
    write(this.name, isNamed ? rule.name : permits);
    write(this.left, left);
    write(this.limit, isNamed ? permits : "");
    write(this.reset, reset);
    this.fill.style.width = `${share * 100}%`;
    this.gauge.setAttribute("aria-label", `${limiter}, ${rule.name}: permits left`);
    this.gauge.setAttribute("aria-valuemax", rule.permits);
    this.gauge.setAttribute("aria-valuenow", rule.remaining);
    this.gauge.setAttribute("aria-valuetext", `${left} of ${amount(rule.permits, rule.permits)}, ${reset}`);
  }
}

class LimiterView {
  constructor(name) {
    this.root = element("article", "card");
    this.root.id = `limiter-${name}`; // an address may end in #limiter-name
    this.root.dataset.limiter = name;
    const head = element("div", "head", this.root);
    const title = element("h3", "", head);
    title.id = `title-of-${name}`;
    title.textContent = name;
    this.root.setAttribute("aria-labelledby", title.id);
    this.badge = element("span", "badge", head);
    this.badge.textContent = "shadow";
    const rate = element("p", "rate", this.root);
    this.rate = element("span", "", rate);
    this.rejecting = element("span", "", rate);
    this.rules = [];
    this.rulesRoot = element("div", "rules", this.root);
    this.spark = document.createElementNS(SVG, "svg");
    this.spark.setAttribute("class", "spark");
    this.spark.setAttribute("viewBox", `0 0 ${POINTS} 44`);
    this.spark.setAttribute("preserveAspectRatio", "none");
    this.spark.setAttribute("role", "img");
    const axis = document.createElementNS(SVG, "path");
    axis.setAttribute("class", "axis");
    axis.setAttribute("d", `M0 26h${POINTS}`);
    this.spark.append(axis);
    this.paths = ["allowed", "rejected"].map((kind) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", kind);
      this.spark.append(path);
      return path;
    });
    this.root.append(this.spark);
  }

  show(limiter) {
    const [allowed, rejected] = [filled(limiter.allowed), filled(limiter.rejected)];
    const [all, no] = [sum(allowed) + sum(rejected), sum(rejected)];
    this.badge.hidden = !limiter.shadow;
    const rate = tenths.format(limiter.allowedRate + limiter.rejectedRate);
    write(this.rate, `${rate} ${rate === "1" ? "request" : "requests"} per second`);
    this.rejecting.classList.toggle("rejecting", limiter.rejectedRate > 0);
    write(this.rejecting, all > 0 ? ` · ${percent.format(no / all)} rejected in 15 minutes` : "");
    while (this.rules.length < limiter.rules.length) {
      this.rules.push(new RuleView(this.rulesRoot));
    }
    this.rules.splice(limiter.rules.length).forEach((rule) => rule.root.remove());
    limiter.rules.forEach((rule, at) => this.rules[at].show(limiter.name, rule));
    const scale = 1 / Math.max(1, ...allowed.map((count) => count / 25), ...rejected.map((count) => count / 17));
    this.paths[0].setAttribute("d", bars(allowed, scale, false));
    this.paths[1].setAttribute("d", bars(rejected, scale, true));
    this.spark.setAttribute("aria-label", `Last 15 minutes: ${whole.format(all - no)} allowed, ${whole.format(no)} rejected`);
  }
}

let views = new Map();
let limitersShown = "";
let keysShown = "";
let changesShown = "";
let storeState = null;
let shownAt = null;

function row(parent, texts) {
  const made = element("tr", "", parent);
  texts.forEach((text, at) => {
    const cell = element("td", at === 3 ? "number" : "", made);
    (at === 0 ? element("code", "", cell) : cell).textContent = text;
  });
}

function showKeys(rejected, shadows) {
  const now = JSON.stringify([rejected, shadows]);
  if (now === keysShown) {
    return;
  }
  keysShown = now;
  const body = byId("keys");
  body.replaceChildren();
  rejected.forEach((each) => row(body, [each.key,
    shadows.includes(each.limiter) ? `${each.limiter} (shadow)` : each.limiter, each.rule,
    each.error > 0 ? `${whole.format(each.count - each.error)} to ${whole.format(each.count)}` : whole.format(each.count)]));
  if (rejected.length === 0) {
    const none = element("td", "none", element("tr", "", body));
    none.colSpan = 4;
    none.textContent = "None";
  }
}

function showStore(frame) {
  const state = frame.store.state;
  const [short, words] = STORE[state];
  write(byId("store"), short);
  byId("store").className = state === "away" ? "bad" : "";
  write(byId("store-words"), [words, KIND[frame.store.kind]].filter(Boolean).join(" "));
  if (storeState !== null && storeState !== state) {
    write(byId("news"), `Store: ${short}`); // a live region: told aloud
  }
  storeState = state;
  const now = JSON.stringify([frame.changes, frame.limiters.map((each) => [each.name, each.onStoreFailure])]);
  if (now === changesShown) {
    return;
  }
  changesShown = now;
  const items = (parent, pairs) => {
    parent.replaceChildren();
    pairs.forEach(([name, what]) => {
      const item = element("li", "", parent);
      element("span", "", item).textContent = name;
      element("span", "what", item).textContent = what;
    });
  };
  const named = (failure) => frame.limiters.filter((each) => each.onStoreFailure === failure).map((each) => each.name);
  items(byId("failures"), Object.keys(FAILURE).filter((each) => named(each).length > 0)
    .map((each) => [FAILURE[each], named(each).join(", ")]));
  if (frame.changes.length > 0) {
    items(byId("changes"), frame.changes.map((each) => [new Date(each.at).toLocaleTimeString(), STORE[each.state][0]]));
  }
}

/** Cards for the limiters of this frame and no others, the busiest first: an application may come back with other ones. */
function showLimiters(unsorted) {
  const asked = (limiter) => sum(limiter.allowed) + sum(limiter.rejected);
  const limiters = [...unsorted].sort((one, other) => asked(other) - asked(one));
  const now = JSON.stringify(limiters.map((limiter) => limiter.name));
  if (now !== limitersShown) {
    limitersShown = now;
    const isNew = limiters.some(({ name }) => !views.has(name));
    views = new Map(limiters.map(({ name }) => [name, views.get(name) ?? new LimiterView(name)]));
    byId("limiters").replaceChildren(...[...views.values()].map((view) => view.root));
    if (isNew) {
      byId(location.hash.slice(1))?.scrollIntoView();
    }
  }
  limiters.forEach((limiter) => views.get(limiter.name).show(limiter));
}

function show(frame) {
  showLimiters(frame.limiters);
  const real = frame.limiters.filter((limiter) => !limiter.shadow);
  const rejectedRate = sum(real.map((limiter) => limiter.rejectedRate));
  const no = sum(real.map((limiter) => sum(limiter.rejected)));
  const all = no + sum(real.map((limiter) => sum(limiter.allowed)));
  write(byId("allowed"), tenths.format(sum(real.map((limiter) => limiter.allowedRate))));
  write(byId("rejected"), tenths.format(rejectedRate));
  byId("rejected").className = rejectedRate > 0 ? "bad" : "";
  write(byId("share"), all > 0 ? percent.format(no / all) : "–");
  showKeys(frame.rejected, frame.limiters.filter((limiter) => limiter.shadow).map((limiter) => limiter.name));
  showStore(frame);
}

function connected(is) {
  const state = byId("connection");
  if (state.classList.contains("on") !== is) {
    write(byId("news"), is ? "Connected" : "The connection is lost; retrying");
  }
  if (is) {
    shownAt = new Date();
  }
  state.classList.toggle("on", is);
  // What is on the page then is no longer so.
  const since = shownAt === null ? "" : `, data from ${shownAt.toLocaleTimeString()}`;
  write(state, is ? "Live" : `Connection lost${since}; retrying`);
}

function watch() {
  const events = new EventSource(document.body.dataset.events);
  let late;
  const wait = () => {
    clearTimeout(late);
    late = setTimeout(() => connected(false), TOO_LATE_MILLIS);
  };
  wait();
  events.onmessage = (event) => {
    connected(true);
    wait();
    show(JSON.parse(event.data));
  };
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) { // refused: a browser comes back by itself only where it was served
      clearTimeout(late);
      connected(false);
      setTimeout(watch, AGAIN_MILLIS);
    }
  };
}

watch();
