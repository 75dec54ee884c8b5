// What can be measured of a part of a page: `(root) => ...` in the names that layout.py calls.
const d2lLayout = {
  // Text in these may scroll sideways, for lines of a program are not broken.
  code: "pre, code, [data-code]",
  // Content may be moved about in these, so what is outside is not lost.
  pans: "[data-pans]",
  // What lies over other things on purpose.
  over: "[role='tooltip'], [popover], dialog, [aria-hidden='true']",

  async settled() {
    const finite = document.getAnimations().filter((a) => Number.isFinite(a.effect?.getComputedTiming().endTime));
    for (const one of finite) one.finish(); // where it ends it stays, and nobody has to wait for it
    await Promise.all(finite.map((a) => a.finished.catch(() => null)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  },

  seen: (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }),

  name(node) {
    const text = node.getAttribute?.("aria-label") || node.textContent || node.value || "";
    const kind = [...(node.classList ?? [])].slice(0, 2).join(".");
    return `<${node.tagName.toLowerCase()}${kind ? ` ${kind}` : ""}> “${text.trim().replace(/\s+/g, " ").slice(0, 60)}”`;
  },

  // Every piece of text that can be seen: its element, and the rectangles of its lines.
  texts(root) {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const node = text.parentElement;
      if (!text.data.trim() || ["OPTION", "STYLE", "SCRIPT", "TITLE", "DESC"].includes(node.tagName) || !this.seen(node)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5);
      const hidden = node.getBoundingClientRect();
      if (boxes.length && !(hidden.width <= 1 && hidden.height <= 1)) found.push({ node, text, boxes });
    }
    return found;
  },

  // What an element does with what lies in it; `frames` keeps it while nothing changes, for many texts lie in one.
  frame(outer, frames) {
    const kept = frames.get(outer);
    if (kept) return kept;
    const { display, overflowX: x, overflowY: y } = getComputedStyle(outer);
    const found = display === "contents" || display === "inline" ? { inline: true } : { box: outer.getBoundingClientRect(), x, y };
    frames.set(outer, found);
    return found;
  },

  // What is wrong with one rectangle of text, and the part of it that is within all that scrolls.
  within(node, box, root, frames) {
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    const loose = (bottom - top) * 0.3; // a line may be lower than the letters' own box
    for (let outer = node; outer; outer = outer.parentElement) {
      const { inline, box: frame, x, y } = this.frame(outer, frames);
      if (inline) { if (outer === root) break; else continue; }
      if (x !== "visible" || y !== "visible") {
        if (outer.matches(this.pans)) return { box: null };
        if (left < frame.left - 1.5 || right > frame.right + 1.5) {
          if (x === "auto" || x === "scroll") {
            if (!outer.matches(this.code) && !outer.closest(this.code)) return { wrong: `scrolls sideways in ${this.name(outer)}` };
          } else if (x !== "visible") return { wrong: `cut off sideways by ${this.name(outer)}` };
        }
        if (top < frame.top - loose || bottom > frame.bottom + loose) {
          if (y === "hidden" || y === "clip") return { wrong: `cut off below or above by ${this.name(outer)}` };
        }
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        if (left >= right || top >= bottom) return { box: null };
      }
      if (outer === root) {
        if (left < frame.left - 1.5 || right > frame.right + 1.5) return { wrong: "beyond the edge of the view" };
        break;
      }
    }
    return { box: { left, top, right, bottom } };
  },

  async problems(root, smallest) {
    await this.settled();
    const found = new Set();
    const places = [];
    const frames = new Map();
    for (const { node, text, boxes } of this.texts(root)) {
      const size = parseFloat(getComputedStyle(node).fontSize) * (node.getScreenCTM?.()?.a ?? 1);
      const lines = new Set(boxes.map((box) => Math.round(box.top))).size;
      if (lines > 3 && text.data.trim().length < 3 * lines) found.add(`squeezed, letters one below the other: ${this.name(node)}`);
      if (size < smallest) found.add(`too small (${size.toFixed(1)} px): ${this.name(node)}`);
      for (const box of boxes) {
        const { wrong, box: inside } = this.within(node, box, root, frames);
        if (wrong) found.add(`${wrong}: ${this.name(node)}`);
        else if (inside && !node.closest(this.over)) places.push({ node, text, ...inside });
      }
    }
    const pen = document.createElement("canvas").getContext("2d");
    for (const field of root.querySelectorAll("input, select, textarea")) {
      if (!this.seen(field)) continue;
      const style = getComputedStyle(field);
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      pen.font = style.font;
      const shown = field.tagName === "SELECT" ? field.selectedOptions[0]?.text ?? ""
        : ["text", "number", "search"].includes(field.type) ? field.value || field.placeholder : "";
      if (pen.measureText(shown).width > room + 1.5) found.add(`cut off in its field: ${this.name(field)} “${shown}”`);
    }
    if (root.scrollWidth > root.clientWidth + 1.5 && getComputedStyle(root).overflowX !== "visible") found.add("the view scrolls sideways");
    places.sort((a, b) => a.top - b.top);
    for (let i = 0; i < places.length; i += 1) {
      for (let k = i + 1; k < places.length && places[k].top < places[i].bottom - 2; k += 1) {
        const [a, b] = [places[i], places[k]];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const low = Math.min(a.bottom - a.top, b.bottom - b.top);
        if (a.text !== b.text && wide > 2 && high > 0.4 * low) found.add(`one over the other: ${this.name(a.node)} and ${this.name(b.node)}`);
      }
    }
    return [...found];
  },

  // --- contrast --------------------------------------------------------------------------------

  // [red, green, blue, alpha] of any colour that CSS knows; a gradient or a picture has none.
  colour(text) {
    const known = (this.colours ??= new Map());
    if (!known.has(text)) known.set(text, this.painted(text)); // reading what was painted takes long
    return known.get(text);
  },

  painted(text) {
    const pen = (this.pen ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true }));
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = "#000";
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  },

  over_(top, below) {
    const [a, b] = [top[3], below[3]];
    const alpha = a + b * (1 - a);
    return alpha ? [0, 1, 2].map((i) => (top[i] * a + below[i] * b * (1 - a)) / alpha).concat(alpha) : [0, 0, 0, 0];
  },

  luminance(colour) {
    const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  },

  // The shapes of a drawing that are filled, from the last on: each with its box and its colour.
  shapes(drawing) {
    const all = [...drawing.querySelectorAll("rect, circle, ellipse, path, polygon")].reverse();
    return all.flatMap((shape) => {
      const { fill, fillOpacity, opacity } = getComputedStyle(shape);
      if (fill === "none") return [];
      const [r, g, b, a] = this.colour(fill);
      return [{ shape, box: shape.getBoundingClientRect(), colour: [r, g, b, a * parseFloat(fillOpacity) * parseFloat(opacity)] }];
    });
  },

  // What lies under a text, from the nearest on: shapes of its drawing, then the backgrounds around it.
  under(node, shapes) {
    const found = [];
    const drawing = node.ownerSVGElement && node.closest("svg");
    if (drawing) {
      if (!shapes.has(drawing)) shapes.set(drawing, this.shapes(drawing));
      const at = node.getBoundingClientRect();
      const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
      for (const { shape, box, colour } of shapes.get(drawing)) {
        if (!(box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)) continue;
        if (shape.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) found.push(colour);
      }
    }
    for (let outer = drawing ? drawing.parentElement : node; outer; outer = outer.parentElement) {
      found.push(this.colour(getComputedStyle(outer).backgroundColor));
    }
    return [...found, [255, 255, 255, 1]];
  },

  async contrasts(root, ratio) {
    await this.settled();
    const found = new Set();
    const shapes = new Map(); // of each drawing: finding them anew for each text takes long
    for (const { node } of this.texts(root)) {
      if (node.closest(":disabled, [aria-disabled='true']")) continue;
      const style = getComputedStyle(node);
      let ground = [0, 0, 0, 0];
      for (const one of this.under(node, shapes)) { ground = this.over_(ground, one); if (ground[3] > 0.995) break; }
      let alpha = 1;
      for (let outer = node; outer; outer = outer.parentElement) alpha *= parseFloat(getComputedStyle(outer).opacity);
      const [r, g, b, a] = this.colour(node.ownerSVGElement ? style.fill : style.color);
      const ink = this.over_([r, g, b, a * alpha], ground);
      const [dark, light] = [this.luminance(ink), this.luminance(ground)].sort((p, q) => p - q);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight, 10) >= 700);
      const is = (light + 0.05) / (dark + 0.05);
      if (is < (large ? Math.min(3, ratio) : ratio) - 0.01) found.add(`contrast ${is.toFixed(2)}: ${this.name(node)}`);
    }
    return [...found];
  },

  // --- what stays where it was ------------------------------------------------------------------

  controls(root) {
    const all = root.querySelectorAll("button, input, select, textarea, summary, a[href], [tabindex]:not([tabindex='-1'])");
    return [...all].filter((node) => this.seen(node));
  },

  // Places are taken within the view: a page that scrolls to what was clicked is no fault.
  async places(root) {
    await this.settled();
    const own = root.getBoundingClientRect();
    const place = (box) => [box.left - own.left, box.top - own.top, box.width, box.height].map((v) => Math.round(v * 10) / 10);
    const times = new Map();
    const controls = this.controls(root).map((node) => {
      const name = this.name(node);
      times.set(name, (times.get(name) ?? 0) + 1);
      const key = (node.d2lKey ??= `${name} ${times.get(name)}`);
      return [key, place(node.getBoundingClientRect())];
    });
    return { size: [own.width, own.height].map((v) => Math.round(v * 10) / 10), controls };
  },

  // --- the keyboard ------------------------------------------------------------------------------

  // A control that belongs to a group is reached with the arrows: one of its group is a stop of the Tab key.
  stops(root) {
    const single = (node) => !node.disabled && node.tabIndex >= 0 && !node.closest("[inert]");
    const radios = new Set();
    return this.controls(root).filter((node) => {
      if (!single(node) || node.tagName === "A") return single(node);
      if (node.type !== "radio") return true;
      const group = node.name || node;
      return !radios.has(group) && radios.add(group);
    });
  },

  number(root) { this.stops(root).forEach((node, i) => { node.dataset.d2lStop = node.type === "radio" ? `radio ${node.name}` : String(i); }); },

  current: () => document.activeElement?.type === "radio" ? `radio ${document.activeElement.name}` : document.activeElement?.dataset.d2lStop,

  // Which stops have the focus when the Tab key is let go, from now on.
  follow() {
    this.reached = new Set([this.current()]);
    this.heard ??= (event) => event.key === "Tab" && this.reached.add(this.current());
    window.addEventListener("keyup", this.heard, true); // once; but whoever writes the page anew has removed it
  },

  followed() { return [...this.reached].filter((key) => key !== undefined); },

  unnamed(root) {
    return this.controls(root).filter((node) => {
      const label = node.labels?.[0]?.textContent || node.getAttribute("aria-label") || node.getAttribute("title") || node.textContent;
      return !label?.trim() && !node.getAttribute("aria-labelledby");
    }).map((node) => this.name(node));
  },
};
