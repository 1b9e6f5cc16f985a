// Time passes when a test says so; the clock on the wall is wrong by the number that is put in here.
(() => {
  let now = 0;
  let ids = 0;
  const wall = Date.now() + %d;
  const timers = new Map();
  performance.now = () => now;
  Date.now = () => wall + now;
  const later = (repeats) => (task, millis = 0) => {
    timers.set(++ids, { task, at: now + millis, every: repeats ? millis : null });
    return ids;
  };
  window.waitReally = window.setTimeout.bind(window);
  window.setTimeout = later(false);
  window.setInterval = later(true);
  window.clearTimeout = window.clearInterval = (id) => timers.delete(id);
  window.advance = (millis) => {
    const until = now + millis;
    for (;;) {
      const [next] = [...timers].filter(([, timer]) => timer.at <= until).sort(([, one], [, other]) => one.at - other.at);
      if (!next) {
        break;
      }
      const [id, timer] = next;
      now = Math.max(now, timer.at);
      if (timer.every === null) {
        timers.delete(id);
      } else {
        timer.at = now + timer.every;
      }
      timer.task();
    }
    now = until;
  };
})();
