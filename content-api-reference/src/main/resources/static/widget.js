"use strict";

/*
 * A chat for any page: <script src="https://the.server/widget.js" defer></script>, with data-title, data-workspace and
 * data-suggestions (separated by |) where they are wanted. It keeps to the server's limits by itself: it shows what is left of
 * its budget, slows down below five, and after a rejection waits as long as Retry-After says and goes on.
 */
(() => {
  const SLOW_BELOW = 5;
  const LONGEST_PAUSE_MILLIS = 60 * 60 * 1000;
  const script = document.currentScript;
  const root = new URL("api/v1/widget/", new URL(".", script.src));

  const now = () => performance.now(); // goes on evenly, also where the browser's clock is wrong or is being set
  const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
  const seconds = (millis) => Math.max(0, Math.ceil(millis / 1000));

  const isRejection = (response) => response.status === 429 || response.status === 503;

  /** The elements are made one by one: a page may forbid text that becomes elements (Trusted Types). */
  function make(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([each, value]) => made.setAttribute(each, value));
    made.append(...children);
    return made;
  }

  /** Requests that share one budget, sent one after the other. */
  class Lane {
    constructor(name, changed) {
      this.name = name;
      this.changed = changed;
      this.queue = [];
      this.running = false;
      this.failures = 0;
      this.pausedUntil = 0;
      this.rejectedUntil = 0;
      this.trouble = ""; // what was told last
    }

    get isRejected() {
      return this.rejectedUntil > now();
    }

    /** Takes what an answer says of the budget. The server's own clock tells how far the reset is, where it can be read. */
    heed(response) {
      const field = (name) => Number(response.headers.get(name) ?? NaN);
      const [limit, remaining, reset] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map(field);
      // Responses to requests that were sent at once arrive in any order: one of an earlier window is ignored, and within a window the
      // smallest number is the last.
      if (!Number.isNaN(reset) && !(reset < this.reset && this.resetAt > now())) {
        const resetIn = (reset - 1) * 1000 - this.momentOf(response); // the reset is rounded up, and the date down
        const left = reset === this.reset ? Math.min(this.remaining, remaining) : remaining;
        Object.assign(this, { limit, remaining: left, reset, resetAt: now() + Math.min(Math.max(0, resetIn), LONGEST_PAUSE_MILLIS) });
      }
      if (isRejection(response)) {
        this.heedRejection(response);
        this.rejectedUntil = this.pausedUntil;
        this.rejectedWith = response.status;
      } else {
        this.failures = 0;
        if (this.remaining < SLOW_BELOW) {
          this.pause((this.resetAt - now()) / (this.remaining + 1)); // spread over what is left of the window
        }
      }
      this.changed(response);
    }

    /** Retry-After has seconds, or a date where a proxy rejects. Without it, as where the network is lost. */
    heedRejection(response) {
      const field = response.headers.get("Retry-After") ?? "";
      const asked = /^\d+$/.test(field) ? field * 1000 : Date.parse(field) - this.momentOf(response);
      if (Number.isNaN(asked)) {
        this.backOff();
      } else {
        this.pause(Math.max(1000, asked));
      }
    }

    /** What time it was for the server. The browser's clock counts only where a proxy takes the server's away. */
    momentOf(response) {
      const date = Date.parse(response.headers.get("Date") ?? "");
      return Number.isNaN(date) ? Date.now() : date;
    }

    /** A little longer each time. */
    backOff() {
      this.failures++;
      this.pause(Math.min(30, 2 ** this.failures) * 1000);
    }

    pause(millis) {
      this.pausedUntil = Math.max(this.pausedUntil, now() + Math.min(millis, LONGEST_PAUSE_MILLIS));
    }

    /** Milliseconds until the next request may go. */
    wait() {
      return Math.max(0, this.pausedUntil - now());
    }

    /** Sends when it is time, again after each rejection; answers with what is no rejection. */
    send(attempt) {
      return new Promise((done) => {
        this.queue.push({ attempt, done });
        this.run();
      });
    }

    async run() {
      if (this.running) {
        return;
      }
      this.running = true;
      while (this.queue.length > 0) {
        if (this.wait() > 0) {
          this.changed();
          await sleep(this.wait());
          continue;
        }
        const { attempt, done } = this.queue[0];
        const response = await attempt().catch((failure) => failure.answer ?? null);
        if (response === null) { // no network, or no conversation
          this.backOff();
          this.changed(null);
        } else if (!isRejection(response)) {
          this.queue.shift();
          done(response);
        }
      }
      this.running = false;
      this.changed();
    }
  }

  class Client {
    constructor(changed) {
      this.lanes = new Map();
      this.changed = changed;
    }

    lane(path) {
      const name = path.split("/")[0];
      if (!this.lanes.has(name)) {
        this.lanes.set(name, new Lane(name, (response) => this.changed(this.lanes.get(name), response)));
      }
      return this.lanes.get(name);
    }

    post(path, body, fields) {
      return fetch(new URL(path, root), {
        method: "POST",
        headers: { "Content-Type": "application/json", ...fields },
        body: JSON.stringify(body),
        credentials: "omit",
      });
    }

    async begin() {
      const page = location.origin + location.pathname;
      const workspace = script.dataset.workspace;
      const lane = this.lane("init");
      const response = await lane.send(async () => {
        const answer = await this.post("init", workspace ? { page, workspace } : { page });
        lane.heed(answer);
        return answer;
      });
      const { token } = await response.clone().json().catch(() => ({}));
      if (!response.ok || !token) {
        // What is wrong with the request stays wrong, and is shown; everything else is tried again.
        const answer = response.status >= 400 && response.status < 500 ? response : null;
        throw Object.assign(new Error(`no conversation: ${response.status}`), { answer });
      }
      return token;
    }

    /** The token of the conversation, or one that is under way. One that could not be had is asked for again. */
    async tokenOf(used) {
      try {
        return await used;
      } catch (failure) {
        this.forget(used);
        throw failure;
      }
    }

    forget(used) {
      if (this.token === used) {
        this.token = null;
      }
    }

    /** One attempt, with a token; a second one with a new token where the first is not accepted any more. */
    async attempt(path, body, isSecond = false) {
      this.token ??= this.begin();
      const used = this.token;
      const response = await this.post(path, body, { Authorization: `Bearer ${await this.tokenOf(used)}` });
      this.lane(path).heed(response);
      if (response.status === 401 && !isSecond) {
        this.forget(used);
        return this.attempt(path, body, true);
      }
      return response;
    }

    /** Sends a request in its turn; atOnce the first attempt does not wait for others, and rejected hears of its rejection. */
    async send(path, body, { atOnce = false, rejected = () => {} } = {}) {
      const lane = this.lane(path);
      if (atOnce && lane.wait() === 0) {
        const response = await this.attempt(path, body).catch((failure) => failure.answer ?? null);
        if (response !== null && !isRejection(response)) {
          return response;
        }
        rejected(response);
      }
      return lane.send(() => this.attempt(path, body));
    }
  }

  const STYLE = `
    :host { all: initial; --back: light-dark(#fff, #1d2128); --text: light-dark(#1a1f27, #e8ebf0); --quiet: light-dark(#566070, #a3adbb);
      --line: light-dark(#dfe3e9, #38404c); --own: light-dark(#dcefe7, #1f4a3c); --accent: light-dark(#157a5c, #4cc79b);
      --on-accent: light-dark(#fff, #10231c); --near: light-dark(#a35f00, #f0b455); --bad: light-dark(#bb2d3b, #ff8088);
      color: var(--text); color-scheme: inherit; font: 1rem/1.5 system-ui, sans-serif; }
    * { box-sizing: border-box; }
    :focus-visible { outline: 3px solid light-dark(#0b57d0, #8ab8f5); outline-offset: 2px; }
    [hidden] { display: none !important; }
    button, input { color: inherit; font: inherit; }
    .launcher { background: var(--accent); border: 0; border-radius: 2rem; bottom: 1rem; box-shadow: 0 4px 16px #0003; color: var(--on-accent);
      cursor: pointer; font-weight: 600; padding: .75rem 1.25rem; position: fixed; right: 1rem; z-index: 1000; }
    @media (max-width: 30rem) { .launcher { display: block; margin: 1rem 1rem 1rem auto; position: static; } .launcher[hidden] { display: none; } }
    .panel { background: var(--back); border: 1px solid var(--line); border-radius: 1rem; bottom: 1rem; box-shadow: 0 8px 32px #0004; display: flex;
      flex-direction: column; height: min(34rem, calc(100vh - 2rem)); overflow: hidden; position: fixed; right: 1rem; width: min(23rem, calc(100vw - 2rem)); z-index: 1000; }
    .head { align-items: center; border-bottom: 1px solid var(--line); display: flex; justify-content: space-between; padding: .75rem 1rem; }
    h2 { font-size: 1rem; margin: 0; }
    .close { background: none; border: 0; border-radius: .375rem; cursor: pointer; font-size: 1.25rem; line-height: 1; padding: .375rem .5rem; }
    .log { display: flex; flex: 1; flex-direction: column; gap: .5rem; overflow-y: auto; padding: 1rem; }
    .log p { border: 1px solid var(--line); border-radius: .75rem; margin: 0; max-width: 85%; overflow-wrap: anywhere; padding: .5rem .75rem; }
    .log .visitor { align-self: end; background: var(--own); border-color: transparent; }
    .log .waits { opacity: .7; }
    .chips { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0 1rem .75rem; }
    .chips button { background: none; border: 1px solid var(--quiet); border-radius: 1rem; cursor: pointer; font-size: .875rem; padding: .125rem .75rem; }
    form { border-top: 1px solid var(--line); display: flex; gap: .5rem; padding: .75rem 1rem; }
    input { background: var(--back); border: 1px solid var(--quiet); border-radius: .5rem; flex: 1; min-width: 0; padding: .5rem .75rem; }
    .send { background: var(--accent); border: 0; border-radius: .5rem; color: var(--on-accent); cursor: pointer; font-weight: 600; padding: .5rem 1rem; }
    .budgets { border-top: 1px solid var(--line); color: var(--quiet); display: grid; font-size: .8125rem; font-variant-numeric: tabular-nums; gap: .375rem; padding: .625rem 1rem; }
    .budgets p { display: flex; gap: 0 .5rem; flex-wrap: wrap; justify-content: space-between; margin: 0; }
    .bar { background: var(--line); border-radius: .25rem; height: .375rem; overflow: hidden; }
    .fill { background: var(--accent); height: 100%; transition: width .4s ease-out; }
    .near .fill { background: var(--near); } .near .left { color: var(--near); font-weight: 600; }
    .spent .fill { background: var(--bad); } .spent .left { color: var(--bad); font-weight: 600; }
    .unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
    @media (prefers-reduced-motion: reduce) { .fill { transition: none; } }`;

  const NAMES = { messages: "Messages", leads: "Email addresses", init: "Conversations" };

  class Chat extends HTMLElement {
    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet(); // allowed where a page's policy forbids styles in its text
      sheet.replaceSync(STYLE);
      shadow.adoptedStyleSheets = [sheet];
      shadow.append(
        make("button", { class: "launcher", type: "button", "aria-expanded": "false" }, "Chat"),
        make("section", { class: "panel", "aria-labelledby": "title", hidden: "" },
          make("div", { class: "head" }, make("h2", { id: "title" }), make("button", { class: "close", type: "button", "aria-label": "Close the chat" }, "×")),
          make("div", { class: "log", role: "log", tabindex: "0", "aria-label": "Conversation" }),
          make("div", { class: "chips" }),
          make("p", { class: "unseen", role: "status" }),
          make("div", { class: "budgets" }),
          make("form", {},
            make("input", { name: "text", "aria-label": "Your message", placeholder: "Your message", maxlength: "1000", autocomplete: "off", required: "" }),
            make("button", { class: "send" }, "Send"))));
      this.find = (selector) => shadow.querySelector(selector);
      this.find("h2").textContent = script.dataset.title ?? "Chat";
      this.budgets = new Map();
      this.client = new Client((lane, response) => {
        this.showBudget(lane);
        if (response !== undefined) {
          this.tell(lane);
        }
      });
      this.find(".launcher").addEventListener("click", () => this.open());
      this.find(".close").addEventListener("click", () => this.close());
      this.find("form").addEventListener("submit", (event) => {
        event.preventDefault();
        const input = this.find("input");
        this.ask(input.value.trim());
        input.value = "";
      });
      this.find(".panel").addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
          this.close();
        }
      });
      (script.dataset.suggestions ?? "").split("|").filter(Boolean).forEach((text) => {
        const chip = make("button", { type: "button" }, text);
        chip.addEventListener("click", () => this.ask(text));
        this.find(".chips").append(chip);
      });
      setInterval(() => this.show(), 500);
    }

    open({ focus = true } = {}) {
      this.find(".panel").hidden = false;
      this.find(".launcher").hidden = true;
      if (focus) {
        this.find("input").focus();
      }
    }

    close() {
      this.find(".panel").hidden = true;
      this.find(".launcher").hidden = false;
      this.find(".launcher").focus();
    }

    say(who, text) {
      const line = make("p", { class: who }, text);
      this.find(".log").append(line);
      line.scrollIntoView({ block: "nearest" });
      return line;
    }

    async ask(text) {
      if (text === "") {
        return;
      }
      const line = this.say("visitor waits", text);
      const response = await this.client.send("messages", { text });
      line.classList.remove("waits");
      const body = await response.json().catch(() => ({}));
      this.say("assistant", body.answer?.text ?? body.error?.message ?? "Something went wrong. Please try again later.");
    }

    /** For the page: a request of the widget's; see Client.send. */
    send(path, body, options) {
      return this.client.send(path, body, options);
    }

    /** Announces that it waits, and that it has sent; once each. */
    tell(lane) {
      const rejected = lane.rejectedWith === 429 ? "Too many requests." : "The server is busy.";
      const trouble = lane.isRejected ? rejected : lane.failures > 0 ? "No connection." : "";
      if (trouble !== lane.trouble) {
        this.find("[role=status]").textContent = trouble
          ? `${trouble} Retrying in ${seconds(lane.wait())} seconds.`
          : "Sent.";
        lane.trouble = trouble;
      }
    }

    /** Also on the button, for whoever has closed the chat. */
    show() {
      const lanes = [...this.client.lanes.values()];
      lanes.forEach((lane) => this.showBudget(lane));
      const wait = Math.max(0, ...lanes.filter((lane) => lane.queue.length > 0).map((lane) => lane.wait()));
      this.find(".launcher").textContent = wait > 0 ? `Chat · retrying in ${seconds(wait)} s` : "Chat";
    }

    showBudget(lane) {
      if (lane.limit === undefined || lane.name === "init") {
        return;
      }
      if (!this.budgets.has(lane.name)) {
        const view = make("div", {},
          make("p", {}, make("span"), make("span", { class: "left" })),
          make("div", { class: "bar", role: "meter", "aria-valuemin": "0" }, make("div", { class: "fill" })));
        view.dataset.lane = lane.name;
        this.find(".budgets").append(view);
        this.budgets.set(lane.name, view);
      }
      const view = this.budgets.get(lane.name);
      const isOver = lane.resetAt <= now();
      const left = isOver ? lane.limit : lane.remaining;
      const wait = lane.wait();
      const waits = lane.queue.length;
      let words = `${left} of ${lane.limit} left`;
      if (waits > 0 && wait > 0) {
        const retrying = `retrying in ${seconds(wait)} s`;
        words = lane.isRejected ? `${waits} queued, ${retrying}` : lane.failures > 0 ? `no connection, ${retrying}` : `slowed down, next in ${seconds(wait)} s`;
      } else if (!isOver) {
        words += `, resets in ${seconds(lane.resetAt - now())} s`;
      }
      view.className = left === 0 ? "spent" : left < SLOW_BELOW || left <= lane.limit / 5 ? "near" : "";
      view.querySelector("span").textContent = NAMES[lane.name] ?? lane.name;
      view.querySelector(".left").textContent = words;
      view.querySelector(".fill").style.width = `${(left / lane.limit) * 100}%`;
      const bar = view.querySelector(".bar");
      bar.setAttribute("aria-label", `${NAMES[lane.name] ?? lane.name}: requests left`);
      bar.setAttribute("aria-valuemax", lane.limit);
      bar.setAttribute("aria-valuenow", left);
      bar.setAttribute("aria-valuetext", words);
      this.dispatchEvent(new CustomEvent("budget", { detail: { name: lane.name, limit: lane.limit, left, words } })); // for the page
    }
  }

  customElements.define("support-chat", Chat);
  document.body.append(document.createElement("support-chat"));
})();
