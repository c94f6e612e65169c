"use strict";
(() => {
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const BLOCK = 48, STEP = 200;
  const KINDS = {
    correct: ["✓", "right", "good"], wrong: ["✗", "wrong", "bad"],
    correct_abstention: ["✓", "rightly abstained", "good"], abstained: ["∅", "abstained", "warn"],
    ambiguous: ["≈", "ambiguous", "warn"], unparsed: ["?", "not read", "warn"],
    out_of_range: ["⌀", "no such option", "warn"], not_run: ["○", "not run", ""],
    unscored: ["·", "no gold", ""],
  };
  const TONES = { SUPPORTED: ["✓", "good"], CONTRADICTED: ["✗", "bad"], NO_COVERAGE: ["○", ""],
    RECOMMENDED: ["▲", "good"], AVOID: ["▼", "bad"], CAUTION: ["◆", "warn"],
    MET: ["●", "info"], NOT_MET: ["○", ""], INDETERMINATE: ["◌", "warn"], UNJUDGED: ["?", "warn"],
    approved: ["✓", "good"], revised: ["✓", "good"], rejected: ["✗", "bad"], unverifiable: ["?", "warn"],
    "KG-STRICT": ["■", "info"], HYBRID: ["◧", "warn"], "LLM-GUESS": ["□", ""],
    "W→C": ["↑", "good"], "C→W": ["↓", "bad"] };
  const CHANGED = { "W→C": "wrong to right", "C→W": "right to wrong", "W→W": "wrong before and after" };
  const RIGHT = new Set(["correct", "correct_abstention"]);
  const byId = id => document.getElementById(id);

  // Everything that comes from a run goes through here: as text, never as markup.
  function h(tag, attributes, ...children) {
    const made = document.createElement(tag);
    fill(made, attributes, children);
    return made;
  }
  function s(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(made, attributes, children);
    return made;
  }
  function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(9)) {
      if (child === null || child === undefined || child === false || child === "") continue;
      made.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  const bdi = text => h("bdi", null, text);
  const tag = (word, tone, sign, title) =>
    h("span", { class: "tag " + (tone || ""), title, dir: "auto" }, sign && h("span", { "aria-hidden": "true" }, sign), word);
  const toned = word => word && tag(word.replaceAll("_", " "), (TONES[word] || [])[1], (TONES[word] || [])[0]);
  const section = (title, ...children) => h("section", null, h("h3", null, title), ...children);
  const percent = value => value === null || value === undefined ? "" : (100 * value).toFixed(0) + " %";

  async function unpack(id) {
    const text = atob(byId(id).textContent.trim());
    const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  const kept = new Map();
  const once = id => { if (!kept.has(id)) kept.set(id, unpack(id)); return kept.get(id); };

  let index = [], shown = [], limit = STEP, current = -1, opener = null, runNow = 0;

  // --- list and filters -------------------------------------------------------------------------
  function outcomeTag(brief, run) {
    const [sign, word, tone] = KINDS[brief.kind] || ["?", brief.kind, "warn"];
    const letter = brief.letter && brief.letter.length === 1 ? brief.letter : "";
    const name = meta.runs.length > 1 ? meta.runs[run].name + ": " : "";
    return h("span", { class: "tag " + tone, title: name + word },
      h("span", { "aria-hidden": "true" }, sign), letter && h("b", null, letter), h("span", { class: letter ? "unseen" : "" }, word));
  }
  function disagree(entry) {
    const said = new Set(entry.runs.filter(r => r && r.kind !== "not_run" && r.kind !== "unscored").map(r => RIGHT.has(r.kind)));
    return said.size > 1;
  }
  function row(entry, place) {
    const chips = entry.runs.map((brief, n) => brief && outcomeTag(brief, n));
    const changes = [...new Set(entry.runs.map(r => r && r.change).filter(c => c && c !== "unchanged"))];
    return h("li", null, h("button", { type: "button", class: "row", "data-place": place, onclick: () => open(place) },
      h("span", { class: "id" }, bdi(entry.id), entry.repeat ? " #" + (entry.repeat + 1) : ""),
      h("span", { class: "text", dir: "auto" }, entry.text.slice(0, 420)),
      h("span", { class: "chips" }, changes.map(toned), disagree(entry) && tag("runs differ", "info", "≠"), chips)));
  }
  const FILTERS = {
    run: { all: "all", of: () => meta.runs.map((r, n) => [String(n), r.name]) },
    program: { all: "all", of: () => unique(meta.runs.map(r => r.program)) },
    outcome: { all: "all", of: () => unique(index.flatMap(e => e.runs.map(r => r && r.kind))).map(([k]) => [k, (KINDS[k] || ["", k])[1]]) },
    change: { all: "all", of: () => [...unique(index.flatMap(e => e.runs.map(r => r && r.change))), ...(meta.runs.length > 1 ? [["differ", "runs differ"]] : [])] },
    source: { all: "all", of: () => unique(index.map(e => e.source)) },
    mode: { all: "all", of: () => unique(index.flatMap(e => e.runs.flatMap(r => r && r.modes || []))) },
  };
  const unique = values => [...new Set(values.filter(Boolean))].sort().map(v => [v, v]);
  function offerFilters() {
    for (const [name, { all, of }] of Object.entries(FILTERS)) {
      const offered = of();
      byId("f-" + name).replaceChildren(h("option", { value: "" }, all), ...offered.map(([v, w]) => h("option", { value: v }, w)));
      byId("f-" + name).disabled = offered.length < 1;
    }
  }
  function matches(entry, want) {
    if (want.source && entry.source !== want.source) return false;
    if (want.text && !want.text.every(word => entry.hay.includes(word))) return false;
    if (want.change === "differ" && !disagree(entry)) return false;
    return entry.runs.some((brief, n) => brief
      && (!want.run || String(n) === want.run) && (!want.program || meta.runs[n].program === want.program)
      && (!want.outcome || brief.kind === want.outcome)
      && (!want.change || want.change === "differ" || brief.change === want.change)
      && (!want.mode || (brief.modes || []).includes(want.mode)));
  }
  function filter() {
    const want = Object.fromEntries(Object.keys(FILTERS).map(name => [name, byId("f-" + name).value]));
    want.text = byId("f-text").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    shown = index.map((_, n) => n).filter(n => matches(index[n], want));
    limit = STEP;
    draw();
  }
  function draw() {
    byId("list").replaceChildren(...shown.slice(0, limit).map(n => row(index[n], n)));
    byId("count").textContent = shown.length === index.length
      ? `${index.length.toLocaleString("en")} questions` : `${shown.length.toLocaleString("en")} of ${index.length.toLocaleString("en")} questions`;
    byId("more").hidden = shown.length <= limit;
  }

  // --- card -------------------------------------------------------------------------------------
  function stem(entry, facts) {
    const spans = facts.filter(f => f[2] !== null), parts = [];
    let at = 0;
    for (const [kind, said, start, end] of spans) {
      parts.push(entry.text.slice(at, start), h("mark", { class: kind, title: `${kind}: ${said}` }, entry.text.slice(start, end)));
      at = end;
    }
    return h("p", { class: "stem", dir: "auto" }, parts, entry.text.slice(at));
  }
  function options(entry, brief) {
    if (!entry.options.length) return null;
    return h("ol", { class: "options" }, entry.options.map(([letter, text]) => h("li", { class: letter === entry.gold ? "right" : "" },
      h("b", null, letter), h("span", { dir: "auto" }, text), h("span", { class: "marks" },
        letter === entry.gold && tag("right answer", "good", "✓"),
        brief && brief.first === letter && brief.first !== brief.letter && tag("first answer", "", "1"),
        brief && brief.letter === letter && tag("answer", letter === entry.gold ? "good" : entry.gold ? "bad" : "info", "→")))));
  }
  function factList(facts) {
    if (!facts.length) return h("p", { class: "quiet" }, "Nothing was read about a patient.");
    const tone = { value: "warn", medication: "good", diagnosis: "info" };
    return h("ul", { class: "facts", "aria-label": "Patient, as read" }, facts.map(([kind, said]) =>
      h("li", { class: "tag " + (tone[kind] || ""), dir: "auto" }, h("small", null, kind), said)));
  }
  function answer(entry, brief, card) {
    const [sign, word, tone] = KINDS[brief.kind] || ["?", brief.kind, "warn"];
    const letter = brief.letter && brief.letter.length === 1 ? brief.letter : "";
    const gold = entry.gold && !RIGHT.has(brief.kind) ? (entry.gold === "none" ? "; no option is right" : "; right is " + entry.gold) : "";
    return section("Answer",
      h("div", { class: "answer" }, h("span", { class: "big" }, letter || "–"),
        h("span", { class: "said", dir: "auto" }, card.option || (letter ? (entry.options.find(o => o[0] === letter) || [])[1] : card.answer) || "no answer"),
        h("div", { class: "tags" }, tag(word + gold, tone, sign), brief.domain && tag(brief.domain.replaceAll("_", " ").toLowerCase(), ""),
          [...new Set(brief.modes || [])].map(toned),
          brief.confidence !== undefined && tag("confidence " + percent(brief.confidence), "info"),
          brief.mismatch === true && tag("the model and the evidence disagreed", "warn", "≠"),
          tag(card.seconds.toFixed(1) + " s", ""))),
      card.why && h("p", { class: "why", dir: "auto" }, card.why),
      card.reason && h("p", { class: "why" }, h("b", null, "Not read, or not run: "), bdi(card.reason)),
      card.scores.length > 0 && h("p", { class: "why quiet" }, "Scores: ", card.scores.map(([n, v]) => `${n} ${v}`).join(", ")));
  }
  function change(brief, card) {
    if (brief.first === undefined) return null;
    const same = brief.change === "unchanged";
    const first = brief.first.length === 1 ? brief.first : "", last = (brief.letter || "").length === 1 ? brief.letter : "";
    const bear = card.claims.filter(c => (c.option === first || c.option === last) && (c.status === "CONTRADICTED" || c.status === "SUPPORTED"));
    const because = bear.length > 0 && h("ul", { class: "items", style: "margin-top:12px" }, bear.slice(0, 6).map(c => h("li", null, claimLine(c))));
    const silent = !bear.length && card.claims.length > 0 && h("p", { class: "quiet", style: "margin-top:8px" }, "No claim about either answer was confirmed or refuted.");
    if (same) return section("What changed, and why", h("p", null, "Nothing: the first answer, ", h("b", null, first || (KINDS[brief.first_kind] || ["", ""])[1]), ", given before the graph was asked, stood."), because, silent);
    const step = (title, letter, kind, text) => h("div", null, h("h4", null, title),
      h("p", { class: "letter" }, letter || (KINDS[kind] || ["", kind])[1]), h("p", { dir: "auto" }, text));
    return section("What changed, and why",
      h("div", { class: "steps" }, step("First answer, before the graph", first, brief.first_kind, card.first_why),
        h("div", { class: "arrow", "aria-hidden": "true" }, "→"),
        step("Final answer", last, brief.kind, "Changed" + (CHANGED[brief.change] ? `: ${CHANGED[brief.change]}.` : "."))),
      because, silent);
  }
  function claimLine(claim) {
    return h("div", { class: "claim" }, h("b", null, claim.option || "–"), h("span", { dir: "auto" }, claim.text || claim.reason,
      claim.supports === false && h("span", { class: "quiet" }, "  (argues against the option)")),
      h("span", { class: "marks" }, toned(claim.status), toned(claim.label), claim.conflict && tag("conflict", "warn", "≠")));
  }
  function factLine(pool, t, extra, marks) {
    const [id, , , , text] = pool.triplets[t];
    return h("div", { class: "fact", tabindex: 0, "data-t": t }, h("code", null, id), h("span", { dir: "auto" }, text, extra && h("span", { class: "quiet" }, extra)), h("span", { class: "marks" }, marks));
  }
  function holds(f) { return f === null ? null : f >= 0.75 ? ["holds", "good", "✓"] : f <= 0.25 ? ["does not hold", "bad", "✗"] : ["uncertain", "warn", "◆"]; }
  function evidence(pool, e) {
    const state = holds(e.f);
    const groups = e.verdicts.map(([item, match, by, audit]) => {
      const [who, level, text, cite] = pool.items[item];
      return h("div", { class: "group " + (match === "MET" ? "met" : ""), dir: "auto" },
        h("div", null, toned(match), " ", h("q", null, who), " ", h("span", { class: "quiet" }, level)),
        audit.map(line => h("div", { class: "audit", dir: "auto" }, line)),
        h("div", null, text, cite && h("cite", null, "  " + cite), by && by !== "rules" && h("cite", null, "  decided by " + by)));
    });
    const loud = groups.filter((_, n) => e.verdicts[n][1] === "MET"), calm = groups.filter((_, n) => e.verdicts[n][1] !== "MET");
    return [factLine(pool, e.t, e.out ? "  (ruled out for this patient)" : "", [state && tag(`${state[0]}, F = ${+e.f.toFixed(2)}`, state[1], state[2]), toned(e.label), e.conflict && tag("conflict", "warn", "≠")]),
      loud, calm.length > 0 && (loud.length ? fold(`${calm.length} further group${calm.length > 1 ? "s" : ""}, not met or left open`, calm) : calm)];
  }
  const fold = (title, ...children) => h("details", { class: "fold" }, h("summary", null, title), ...children);
  function claims(pool, card) {
    if (!card.claims.length) return null;
    return section("Claims and what the graph says of them", h("ol", { class: "items" }, card.claims.map(c => h("li", null, claimLine(c),
      h("div", { class: "sub" }, c.reason && c.text && h("p", { dir: "auto" }, c.reason), c.evidence.length > 0 && fold(`${c.evidence.length} triplet${c.evidence.length > 1 ? "s" : ""} with constraints and audit`, c.evidence.map(e => evidence(pool, e))))))));
  }
  function hypothesisList(list) {
    return h("ul", { class: "items" }, list.map(x => h("li", { class: "claim" }, h("b", { "aria-hidden": "true" }, "?"), h("span", { dir: "auto" }, x.text, x.reason && h("span", { class: "quiet" }, "  " + x.reason)),
      h("span", { class: "marks" }, toned(x.kind), x.p !== null && tag("p = " + x.p.toFixed(2), ""), x.revisions > 0 && tag(`revised ${x.revisions}×`, "")))));
  }
  function hops(pool, card) {
    if (!card.hops.length) return null;
    return section(card.hops.some(hop => hop.answer) ? "Hops: sub-question, region, answer" : "Regions", h("ol", { class: "items" }, card.hops.map(hop => h("li", null,
      h("div", { class: "claim" }, h("b", { "aria-hidden": "true" }, "›"), h("span", { dir: "auto" }, hop.question), h("span", { class: "marks" }, toned(hop.mode), tag(`${hop.triplets.length} triplets`, ""))),
      h("div", { class: "sub" }, hop.answer && h("p", { dir: "auto", style: "color:var(--ink)" }, hop.answer),
        hop.dropped.length > 0 && h("p", null, "Cited, but not in the region, so dropped: ", hop.dropped.join(", ")),
        hop.triplets.length > 0 && fold(`Region: ${hop.triplets.length} of ${hop.candidates === null ? "?" : hop.candidates} candidates`, hop.triplets.map((t, n) =>
          factLine(pool, t, "", [hop.cited.includes(pool.triplets[t][0]) && tag("cited", "info", "●"), hop.relevance[n] !== undefined && hop.relevance[n] !== null && tag("cos " + hop.relevance[n].toFixed(2), "")]))),
        hop.unlinked.length > 0 && h("p", { dir: "auto" }, "No node for: ", hop.unlinked.join(", ")),
        hop.hypotheses.length > 0 && [h("p", null, "Hypotheses, with the Reviewer's verdict"), hypothesisList(hop.hypotheses)])))));
  }
  function cost(card, run) {
    const prompts = meta.prompts[run.prompts] || {};
    const cells = (name, spent) => [h("th", { scope: "row" }, bdi(name)), ...spent.map((v, n) => h("td", { class: "num" }, n === 4 ? v.toFixed(1) : v.toLocaleString("en")))];
    const head = ["stage", "calls", "cached", "prompt tokens", "answer tokens", "seconds"];
    const asked = card.stages.map(([name]) => name);
    const texts = Object.entries(prompts).filter(([name]) => !asked.length || asked.some(stage => name === stage || name.startsWith(stage + ".")));
    return section("Cost and prompts", h("div", { class: "wide" }, h("table", null, h("thead", null, h("tr", null, head.map((w, n) => h("th", { scope: "col", class: n ? "num" : "" }, w)))),
      h("tbody", null, card.stages.map(([name, ...spent]) => h("tr", null, cells(name, spent))), h("tr", null, cells("all", card.usage))))),
      texts.length ? texts.map(([name, text]) => h("details", { class: "prompt" }, h("summary", null, "Prompt of ", h("code", null, name)), h("pre", { dir: "auto" }, text)))
        : h("p", { class: "quiet", style: "margin-top:8px" }, "The prompts of this run are not in this file."));
  }
  const listed = (title, texts) => texts.length > 0 && section(title, h("ul", null, texts.map(t => h("li", { dir: "auto" }, t))));

  function runPart(entry, card, n, pool) {
    const brief = entry.runs[n], run = meta.runs[n], mine = card.runs[n];
    if (!brief) return h("p", { class: "why quiet" }, "This question is none of the run's.");
    if (!mine) return h("p", { class: "why" }, "The run has no row for this question: it was not run.");
    return h("div", null, answer(entry, brief, mine), change(brief, mine),
      mine.graph && section("Region and evidence", graph(pool, mine.graph)),
      claims(pool, mine), mine.evidence.length > 0 && section("Evidence", mine.evidence.map(e => evidence(pool, e))),
      hops(pool, mine), mine.reviewed.length > 0 && section("Reviewed triplets", hypothesisList(mine.reviewed)),
      listed("Not covered by the graph", mine.not_covered), listed("Notes", mine.notes), cost(mine, run));
  }
  function body(entry, card, pool) {
    const has = entry.runs.map((r, n) => r ? n : -1).filter(n => n >= 0);
    if (!has.includes(runNow)) runNow = has.length ? has[0] : 0;
    const facts = () => card.runs[runNow] ? card.runs[runNow].patient : (card.runs.find(Boolean) || { patient: [] }).patient;
    const top = h("div"), panel = h("div", { role: "tabpanel", id: "panel", tabindex: -1 });
    const tabs = has.length > 1 && h("div", { role: "tablist", "aria-label": "Runs" }, has.map(n =>
      h("button", { type: "button", role: "tab", id: "tab-" + n, "aria-controls": "panel", onclick: () => choose(n),
        onkeydown: event => { const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key]; if (to) { event.stopPropagation(); const next = has[(has.indexOf(n) + to + has.length) % has.length]; choose(next); byId("tab-" + next).focus(); } } },
        bdi(meta.runs[n].name), outcomeTag(entry.runs[n], n))));
    function choose(n) {
      runNow = n;
      const brief = entry.runs[n];
      top.replaceChildren(stem(entry, facts()), ...[options(entry, brief)].filter(Boolean), factList(facts()));
      for (const remark of [card.reference && "Reference: " + card.reference, card.citation && "Source: " + card.citation, card.decided_by && "Decided by: " + card.decided_by, ...card.remarks])
        if (remark) top.append(h("p", { class: "quiet", style: "margin-top:8px", dir: "auto" }, remark));
      panel.replaceChildren(runPart(entry, card, n, pool));
      if (tabs) for (const tab of tabs.children) { const on = tab.id === "tab-" + n; tab.setAttribute("aria-selected", on); tab.tabIndex = on ? 0 : -1; }
      link(panel);
    }
    choose(runNow);
    return h("div", { class: "body" }, top, tabs, panel);
  }
  // A triplet in a list lights up in the picture, by pointer and by focus.
  function link(panel) {
    const net = panel.querySelector(".net");
    if (!net) return;
    for (const fact of panel.querySelectorAll(".fact")) {
      const on = () => net.light(Number(fact.dataset.t)), off = () => net.light(null);
      fact.addEventListener("mouseenter", on); fact.addEventListener("mouseleave", off);
      fact.addEventListener("focus", on); fact.addEventListener("blur", off);
    }
  }

  // --- graph ------------------------------------------------------------------------------------
  const shapes = {
    drug: () => s("rect", { x: -7, y: -7, width: 14, height: 14, rx: 3 }),
    disease: () => s("circle", { r: 8 }),
    "gene/protein": () => s("path", { d: "M0-9 9 0 0 9-9 0z" }),
    "effect/phenotype": () => s("path", { d: "M0-9 9 7H-9z" }),
  };
  const other = () => s("path", { d: "M-5-8H5L9 0 5 8H-5L-9 0z" });
  const short = (text, n) => [...text].length > n ? [...text].slice(0, n - 1).join("") + "…" : text;
  function edgeClass([, , , what, f]) {
    if (f !== null && what & 4) return f >= 0.75 ? "holds" : f <= 0.25 ? "fails" : "open";
    return what & 1 ? "cited" : "";
  }
  function graph(pool, data) {
    const W = 1000, H = 500;
    const nodes = data.nodes.map(([p, x, y, anchor]) => ({ p, anchor, x: W / 2 + x * 0.275, y: H / 2 + y * 0.225 }));
    const says = h("div", { class: "says", role: "status" });
    const count = `${data.edges.length} triplet${data.edges.length === 1 ? "" : "s"}, ${nodes.length} entities`;
    const hint = count + (data.left_out ? `; ${data.left_out} more are not drawn` : "") + ". Point at a node or a line. Drag to move, buttons or + and − to zoom, 0 to reset.";
    says.textContent = hint;
    const view = s("g"), net = h("div", { class: "net" });
    const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", tabindex: 0, "aria-label": `Region graph: ${count}. The triplets stand in the lists below as text.` }, view);
    const look = { k: 1, x: 0, y: 0 };
    const place = () => view.setAttribute("transform", `translate(${look.x} ${look.y}) scale(${look.k})`);
    function zoom(factor, cx = W / 2, cy = H / 2) {
      const k = Math.min(6, Math.max(0.5, look.k * factor));
      look.x = cx - (cx - look.x) * k / look.k; look.y = cy - (cy - look.y) * k / look.k; look.k = k; place();
    }
    const reset = () => { Object.assign(look, { k: 1, x: 0, y: 0 }); place(); };
    const edges = data.edges.map(e => {
      const made = { t: e[0], a: nodes[e[1]], b: nodes[e[2]], kind: edgeClass(e), line: s("line", { class: edgeClass(e) }), hit: s("line", { class: "hit" }) };
      if (made.kind === "fails") made.cross = s("text", { class: "cross" }, "✕");
      const tell = () => light(made.t);
      made.hit.addEventListener("pointerenter", tell); made.hit.addEventListener("pointerleave", () => light(null));
      return made;
    });
    // Hubs stand inside the ring: their names go above them, the others' outwards.
    for (const n of nodes) n.hub = Math.hypot((n.x - W / 2) / 275, (n.y - H / 2) / 225) < 0.5;
    for (const e of edges) view.append(e.line, e.hit);
    for (const e of edges) if (e.cross) view.append(e.cross);
    nodes.forEach(n => {
      const [name, type] = pool.nodes[n.p], shape = (shapes[type] || other)();
      shape.setAttribute("class", "shape");
      n.label = s("text", null, short(name, 25));
      n.el = s("g", { class: "node" + (n.anchor ? " anchor" : "") }, shape, n.label);
      n.el.addEventListener("pointerenter", () => lightNode(n)); n.el.addEventListener("pointerleave", () => light(null));
      view.append(n.el);
    });
    function move() {
      for (const n of nodes) {
        n.el.setAttribute("transform", `translate(${n.x} ${n.y})`);
        const dx = n.x - W / 2, side = Math.abs(dx) > 60 && !n.hub;
        n.label.setAttribute("text-anchor", side ? (dx > 0 ? "start" : "end") : "middle");
        n.label.setAttribute("x", side ? (dx > 0 ? 14 : -14) : 0);
        n.label.setAttribute("y", side ? 4.5 : -15);
      }
      for (const e of edges) {
        for (const line of [e.line, e.hit]) for (const [at, v] of [["x1", e.a.x], ["y1", e.a.y], ["x2", e.b.x], ["y2", e.b.y]]) line.setAttribute(at, v);
        if (e.cross) { e.cross.setAttribute("x", (e.a.x + e.b.x) / 2); e.cross.setAttribute("y", (e.a.y + e.b.y) / 2 + 5); }
      }
    }
    function mark(lit) {
      net.classList.toggle("dim", lit !== null);
      for (const e of edges) for (const el of [e.line, e.cross]) if (el) el.classList.toggle("lit", lit !== null && lit.has(e));
      for (const n of nodes) n.el.classList.toggle("lit", lit !== null && (lit.has(n) || edges.some(e => lit.has(e) && (e.a === n || e.b === n))));
    }
    function light(t) {
      const found = t === null ? [] : edges.filter(e => e.t === t);
      if (!found.length) { mark(null); says.textContent = hint; return; }
      mark(new Set(found));
      const [id, , relation, , text] = pool.triplets[t];
      says.replaceChildren(h("code", null, id), " ", h("b", { dir: "auto" }, text), ` (${relation})`);
    }
    function lightNode(n) {
      const [name, type, id, source] = pool.nodes[n.p];
      mark(new Set([n, ...edges.filter(e => e.a === n || e.b === n)]));
      says.replaceChildren(h("b", { dir: "auto" }, name), ` ${type}, ${source} ${id}${n.anchor ? "; the region was built around it" : ""}`);
    }
    net.light = light;
    let grip = null;
    const point = event => { const box = svg.getBoundingClientRect(); return [(event.clientX - box.left) * W / box.width, (event.clientY - box.top) * H / box.height]; };
    svg.addEventListener("pointerdown", event => {
      const node = nodes.find(n => n.el.contains(event.target));
      grip = { node, at: point(event) };
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", event => {
      if (!grip) return;
      const [x, y] = point(event), dx = x - grip.at[0], dy = y - grip.at[1];
      grip.at = [x, y];
      if (grip.node) { grip.node.x += dx / look.k; grip.node.y += dy / look.k; move(); } else { look.x += dx; look.y += dy; place(); }
    });
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { grip = null; });
    svg.addEventListener("wheel", event => {
      // The page scrolls as ever, until the picture was clicked or Ctrl is held.
      if (!event.ctrlKey && document.activeElement !== svg) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, ...point(event));
    }, { passive: false });
    svg.addEventListener("keydown", event => {
      const pan = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (pan) { look.x += pan[0]; look.y += pan[1]; place(); }
      else if (event.key === "+" || event.key === "=") zoom(1.25);
      else if (event.key === "-") zoom(0.8);
      else if (event.key === "0") reset();
      else return;
      event.preventDefault(); event.stopPropagation();
    });
    move();
    const button = (word, name, act) => h("button", { type: "button", class: "plain", "aria-label": name, title: name, onclick: act }, word);
    net.append(svg, h("div", { class: "tools" }, button("+", "Zoom in", () => zoom(1.25)), button("−", "Zoom out", () => zoom(0.8)), button("⟲", "Reset the view", reset)), says, legend(pool, nodes, edges));
    return net;
  }
  function legend(pool, nodes, edges) {
    const types = [...new Set(nodes.map(n => pool.nodes[n.p][1]))], kinds = [...new Set(edges.map(e => e.kind))];
    const words = { holds: "holds for this patient", open: "uncertain", fails: "does not hold (✕)", cited: "cited by an answer", "": "in the region" };
    const sample = el => s("svg", { viewBox: "-13 -10 26 20", "aria-hidden": "true" }, el);
    return h("div", { class: "legend" },
      types.map(type => { const shape = (shapes[type] || other)(); shape.setAttribute("class", "shape"); return h("span", null, sample(shape), type || "entity"); }),
      nodes.some(n => n.anchor) && h("span", null, "filled: the region was built around it"),
      kinds.map(kind => h("span", null, sample(s("line", { class: kind, x1: -13, x2: 13, y1: 0, y2: 0 })), words[kind])));
  }

  // --- opening and closing ----------------------------------------------------------------------
  async function content(place) {
    const [pool, block] = await Promise.all([once("pool"), once("block-" + Math.floor(place / BLOCK))]);
    return body(index[place], block[place % BLOCK], pool);
  }
  const address = entry => "#q=" + encodeURIComponent(entry.id) + (entry.repeat ? "&repeat=" + entry.repeat : "");
  async function open(place, { push = true } = {}) {
    const entry = index[place], dialog = byId("card");
    if (!dialog.open) opener = document.activeElement;
    current = place;
    const at = shown.indexOf(place);
    const step = (to, word, name) => h("button", { type: "button", class: "plain", "aria-label": name, title: name, disabled: at < 0 || shown[at + to] === undefined, onclick: () => open(shown[at + to]) }, word);
    const bar = h("div", { class: "bar" }, h("div", { class: "where", id: "card-title" }, h("code", null, bdi(entry.id)), bdi(entry.source), entry.split && ", " + entry.split, entry.repeat > 0 && ", repeat " + (entry.repeat + 1)),
      step(-1, "←", "Previous question"), step(1, "→", "Next question"), h("a", { class: "plain", href: address(entry), title: "Address of this card" }, "Link"),
      h("button", { type: "button", class: "plain", id: "close", onclick: () => dialog.close() }, "Close"));
    const made = await content(place);
    if (current !== place) return;
    dialog.replaceChildren(bar, made);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    byId("close").focus({ preventScroll: true });
    if (push && decodeURIComponent(location.hash) !== decodeURIComponent(address(entry))) history.pushState(null, "", address(entry));
  }
  function fromAddress() {
    const found = new URLSearchParams(location.hash.slice(1));
    if (!found.has("q")) { if (byId("card").open) byId("card").close(); return; }
    const repeat = Number(found.get("repeat") || 0);
    const place = index.findIndex(e => e.id === found.get("q") && e.repeat === repeat);
    if (place >= 0) open(place, { push: false }).catch(fail);
    else fail(new Error(`this file has no card of question ${found.get("q")}`));
  }
  function fail(error) {
    const box = byId("failure");
    box.textContent = typeof DecompressionStream === "undefined" ? "This browser is too old to open the cards (it lacks DecompressionStream)." : String(error.message || error);
    box.hidden = false;
  }
  function keys(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), dialog = byId("card");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (dialog.open) {
      const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key], at = shown.indexOf(current);
      if (to && at >= 0 && shown[at + to] !== undefined && event.target.getAttribute("role") !== "tab") { event.preventDefault(); open(shown[at + to]).catch(fail); }
      return;
    }
    if (event.key === "/" && !typing) { event.preventDefault(); byId("f-text").focus(); byId("f-text").select(); return; }
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = [...document.querySelectorAll(".row")], here = rows.indexOf(document.activeElement);
    if (move && here >= 0 && rows[here + move]) { event.preventDefault(); rows[here + move].focus(); }
    else if ((event.key === "ArrowDown" || event.key === "Enter") && event.target.id === "f-text" && rows.length) { event.preventDefault(); if (event.key === "Enter") rows[0].click(); else rows[0].focus(); }
    else if (event.key === "Escape" && event.target.id === "f-text") { byId("f-text").value = ""; filter(); }
  }

  async function start() {
    index = await unpack("index");
    for (const entry of index) entry.hay = [entry.id, entry.text, ...entry.options.map(o => o[1])].join("\n").toLocaleLowerCase();
    shown = index.map((_, n) => n);
    if (meta.single) { if (index.length) byId("alone").replaceChildren(await content(0)); document.body.dataset.ready = "1"; return; }
    offerFilters();
    draw();
    const form = byId("filters");
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("input", filter);
    form.addEventListener("reset", () => setTimeout(filter));
    byId("more").addEventListener("click", () => { limit += STEP; draw(); });
    document.addEventListener("keydown", keys);
    const dialog = byId("card");
    dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => {
      current = -1;
      if (location.hash.startsWith("#q=")) history.pushState(null, "", location.pathname + location.search);
      const back = opener && opener.isConnected ? opener : byId("f-text");
      back.focus({ preventScroll: true });
    });
    window.addEventListener("hashchange", fromAddress);
    window.addEventListener("popstate", fromAddress);
    document.body.dataset.ready = "1";
    if (location.hash.startsWith("#q=")) fromAddress();
  }
  start().catch(fail);
})();
