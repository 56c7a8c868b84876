import { h, draw } from './draw.js'
import { ask, overHTTP } from './ask.js'
import { pack, unpack, clean, thin, longest } from './link.js'
import { words } from './words.js'
import { designs as taught, others, example, first } from './examples.js'

// ---- state: what a link holds, and what it does not

let state = first
let views = [] // of the designs: the last answers of look
let latest = [] // the same, of designs that cannot be read too
let differences = [], explained = [], inferred = null, simulation = null, taken = []
let csv = null, files = 0 // {name, text, long, number}: of two files of one name each has its number
let running = false, looking = false, dead = ''
let unopened = '' // why the link of the page holds nothing: a word
let tab = 'go', toast = '', hover = null
const kept = { get: k => { try { return localStorage.getItem('rowkey.' + k) } catch { return null } }, set: (k, v) => { try { localStorage.setItem('rowkey.' + k, v) } catch { /* a browser may forbid it */ } } }
let lang = kept.get('lang') || (navigator.language.startsWith('zh') ? 'zh' : 'en')
let theme = kept.get('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

const given = (table, f) => Object.hasOwn(table, f.name) ? table[f.name] : undefined // a field may be called constructor
const t = (key, ...args) => (words[lang][key] ?? words.en[key]).replace(/\{(\d)\}/g, (_, i) => args[i])
const count = n => n.toLocaleString(lang === 'zh' ? 'zh-CN' : 'en-US')
const percent = x => x === 0 ? '0 %' : (100 * x).toFixed(x >= .0995 ? 0 : x >= .00995 ? 1 : 2) + ' %'
const sampled = x => x > 0 ? percent(x) : '< 0.1 %' // none of 1,500 rows is not nothing
const many = (n, one, more) => n === 1 ? t(one) : t(more, count(n))
const pattern = p => words[lang].patterns[p] || p

// change sets parts of the state. what says which answers they change: look (all), keys, rows or none.
function change(parts, what = 'look') {
  state = { ...state, ...parts }
  unopened = ''
  if (what === 'look') look()
  if (what === 'keys') later('explain', explain, 150)
  if (what !== 'none' && what !== 'keys') later('simulate', simulate, 350)
  later('link', writeLink, 400)
  render()
}
const changeDesign = (i, parts) => change({ designs: state.designs.map((d, k) => k === i ? { ...d, ...parts } : d) })
const replaceDesign = (i, text) => { step(); changeDesign(i, { text, answers: [] }) }
const open = s => { csv = null; simulation = null; differences = []; explained = []; views = []; latest = []; taken = []; change(s) }

const timers = {}
function later(name, f, ms) { clearTimeout(timers[name]); timers[name] = setTimeout(f, ms) }
function say(text) { toast = text; render(); later('toast', () => { toast = ''; render() }, 4000) }

// ---- asking: of the states that pass while somebody types, only the newest is asked for

let again = false
async function look() {
  if (looking) { again = true; return }
  looking = true
  do {
    again = false
    const s = state
    const answers = await Promise.all(s.designs.map(d => ask('look', { name: d.name, notation: d.text, answers: d.answers, values: s.values, questions: s.questions, rows: s.rows, lang })))
    if (s.designs.length !== state.designs.length) continue
    dead = answers.find(a => a.dead)?.error || ''
    latest = answers.map(a => a.error ? { problem: { text: a.error, from: -1, to: -1 } } : a)
    views = latest.map((a, i) => a.notation ? a : views[i] && views[i].fields ? { ...views[i], stale: true } : null) // a broken text keeps the view before it
  } while (again)
  looking = false
  render()
  later('rest', rest, 60)
}

// rest asks for what follows from the answers of look.
function rest() { compare(); take(); explain() }

const notations = () => views.map(v => v && !v.stale ? v.notation : '')
const fresh = s => s.designs === state.designs && s.questions === state.questions // of what else changes, none of these answers depends

async function compare() {
  const n = notations(), s = state
  const out = await Promise.all(n.slice(1).map(to => n[0] && to ? ask('compare', { from: n[0], to, questions: s.questions }) : null))
  if (fresh(s)) { differences = out; render() }
}

async function take() {
  const s = state, as = tab
  const out = await Promise.all(notations().map((notation, i) => notation ? ask('take', { name: s.designs[i].name, notation, as, questions: s.questions }) : null))
  if (fresh(s) && as === tab) { taken = out; render() }
}

function isTable(text) {
  const header = text.replace(/^[\r\n]+/, '').split('\n')[0]
  return /[,\t]/.test(header) && /(^|[,\t])\s*"?(row ?_?key|key|row)"?\s*([,\t]|$)/i.test(header)
}
let inferredOf = ''
async function explain() {
  const s = state, text = s.keys
  if (!text.trim()) { explained = []; inferred = null; inferredOf = ''; render(); return }
  if (isTable(text)) {
    explained = []
    if (text === inferredOf) return
    inferredOf = text; inferred = { running: true }; render()
    const out = await ask('infer', { text })
    if (text === state.keys) { inferred = out; render() }
    return
  }
  inferred = null; inferredOf = ''
  const out = await Promise.all(notations().map(notation => notation ? ask('explain', { notation, text }) : null))
  if (fresh(s) && text === state.keys) { explained = out; render() }
}

let simulatedOf = '', waiting = false
async function simulate() {
  const n = notations()
  if (running) { waiting = true; return }
  if (looking || !n.length || n.some(x => !x)) { if (looking) later('simulate', simulate, 100); return }
  const request = { designs: n.map((notation, i) => ({ name: state.designs[i].name, notation })), rows: state.rows, count: state.count, servers: state.servers, csv: csv ? csv.text : '' }
  const id = JSON.stringify([request.designs, request.rows, request.count, request.servers, csv && csv.number])
  if (simulation && id === simulatedOf) return
  simulatedOf = id; running = true; render()
  simulation = await ask('simulate', request)
  if (simulation.dead) simulatedOf = '' // it is asked again
  running = false; render()
  if (waiting) { waiting = false; simulate() }
}

let rules = null
async function allRules() { if (!rules) { rules = {}; const list = await ask('rules', {}); if (Array.isArray(list)) for (const r of list) rules[r.name] = r; render() } }

// ---- the link

let written = ''
async function writeLink() {
  const link = await pack(state)
  if (link.length <= longest) history.replaceState(null, '', written = link)
}
const site = document.querySelector('meta[name=rowkey-site]').content
// step begins an entry of the history: what is replaced next comes back by going back, also what was
// typed a moment ago.
async function step() {
  clearTimeout(timers.link)
  await writeLink()
  history.pushState(null, '', location.href)
}
async function share() {
  const link = await pack(state)
  if (link.length > longest) return save()
  await copy((site || location.origin + location.pathname) + link, t('shared'))
}
function save() {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(new Blob([JSON.stringify({ rowkey: 1, ...thin(state) }, null, 1)], { type: 'application/json' }))
  a.download = 'rowkey-design.json'
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 1000)
  say(t('saved'))
}
async function copy(text, done = t('copied')) {
  try { await navigator.clipboard.writeText(text); say(done) } catch { say(t('copyFailed')) }
}
async function openFile(file) {
  if (!file) return
  const most = 4 << 20
  let text = await file.slice(0, most).text()
  if (/^\s*\{/.test(text)) {
    try { const s = clean(JSON.parse(text)); if (s) { step(); return open(s) } } catch { /* it is no design: rows, then */ }
  }
  if (file.size > most) text = text.slice(0, text.lastIndexOf('\n') + 1)
  csv = { name: file.name, text, long: file.size > most, number: ++files }
  simulate(); render()
}

// ---- what is shown: colours of fields are the same in every design

function hues() {
  const of = new Map()
  for (const v of views) for (const f of v?.fields || []) if (f.kind !== 'literal' && !f.derived && !of.has(f.name)) of.set(f.name, of.size % 7)
  return of
}
const hueOf = (f, of) => !f || f.kind === 'literal' ? 'plain' : 'hue' + (f.derived ? of.get((f.inputs || [])[0]) ?? 6 : of.get(f.name) ?? 6)

const button = (text, onclick, props = {}) => h('button', { type: 'button', onclick, ...props }, text)
const copyButton = (text, what) => button(t('copy'), () => copy(text), { class: 'small', 'aria-label': t('copyOf', what) })

function header() {
  return h('header', {}, h('div', {},
    h('h1', {}, h('svg', { viewBox: '0 0 22 16', 'aria-hidden': 'true' }, ...[0, 8, 16].map((x, i) => h('rect', { class: 'logo' + i, x, y: 1, width: 6, height: 14, rx: 1.5 }))), 'rowkey ', h('span', {}, t('subtitle'))),
    h('select', { 'aria-label': t('examples'), value: '', onchange: e => { const [kind, i] = e.target.value.split(' '); e.target.value = ''; step(); open(kind === 'o' ? others[i][2] : example(taught[i])) } },
      h('option', { value: '' }, t('examples') + ' …'),
      others.map((x, i) => h('option', { value: 'o ' + i }, x[lang === 'zh' ? 1 : 0])),
      taught.map((x, i) => h('option', { value: 't ' + i }, `${i + 1}. ${x[lang === 'zh' ? 1 : 0]}`))),
    button(t('language'), () => { lang = lang === 'zh' ? 'en' : 'zh'; kept.set('lang', lang); look() }, { lang: lang === 'zh' ? 'en' : 'zh' }),
    button(theme === 'dark' ? '☀' : '☾', () => { theme = theme === 'dark' ? 'light' : 'dark'; kept.set('theme', theme); render() }, { 'aria-label': t('theme'), title: t('theme') }),
    button(t('share'), share, { class: 'main' })))
}

// ---- the designs

// coloured is a layout in the colours of its fields.
function coloured(text, view, of) {
  const parts = text.match(/\[(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\]"'])*\]|[^[]+|\[/g) || []
  if (!view || view.stale || view.draft?.open?.length || parts.filter(p => p.endsWith(']') && p[0] === '[').length !== view.fields.length) return [text]
  let n = 0
  return parts.map(p => p[0] === '[' ? h('span', { class: hueOf(view.fields[n++], of) }, p) : p)
}

function editor(d, i, of) {
  const view = views[i], p = d.text.trim() ? latest[i]?.problem : null
  const marked = p && p.from >= 0 && p.from <= d.text.length
  return h('div', { class: 'editor' + (p ? ' wrong' : '') },
    h('pre', { 'aria-hidden': 'true' }, marked ? [d.text.slice(0, p.from), h('mark', {}, d.text.slice(p.from, p.to) || '\u00a0'), d.text.slice(p.to)] : coloured(d.text, view, of), '\u200b'),
    h('textarea', { 'aria-label': t('text', d.name), 'aria-invalid': p ? 'true' : 'false', 'aria-describedby': p ? 'problem' + i : null, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', maxlength: 8000, value: d.text, oninput: e => changeDesign(i, { text: e.target.value, answers: [] }) }))
}

function designCard(d, i, of) {
  const p = d.text.trim() ? latest[i]?.problem : null, view = views[i], draft = !p && view?.draft
  const use = notation => replaceDesign(i, notation)
  return h('div', { class: 'card design', key: 'design' + i },
    h('div', { class: 'row' }, h('input', { class: 'name', 'aria-label': t('name', i + 1), value: d.name, maxlength: 60, oninput: e => changeDesign(i, { name: e.target.value }) }),
      state.designs.length > 1 && button('✕', () => { step(); views.splice(i, 1); latest.splice(i, 1); simulation = null; change({ designs: state.designs.filter((_, k) => k !== i) }) }, { class: 'x', 'aria-label': t('remove', d.name) })),
    editor(d, i, of),
    p && h('div', { class: 'say bad', id: 'problem' + i, role: 'status' }, h('p', {}, p.text || t('bad')),
      p.mends?.length && h('p', {}, t('place')), p.mends?.map(m => button([h('b', {}, m.label), h('code', {}, m.notation)], () => use(m.notation), { class: 'choice mends' }))),
    !d.text.trim() && h('div', { class: 'say' }, h('p', {}, t('empty')), taught.slice(0, 6).map(x => button([h('b', {}, x[lang === 'zh' ? 1 : 0]), h('code', {}, x[2])], () => use(x[2]), { class: 'choice' }))),
    draft && !draft.open && h('div', { class: 'say' }, h('p', {}, t('reads'), ' ', h('code', {}, draft.decided), ' ', button(t('take'), () => use(draft.decided), { class: 'small' }))),
    draft && draft.open && h('div', { class: 'say mid' }, h('p', {}, h('b', {}, t('open'))), h('p', {}, h('code', {}, draft.decided), ' ', button(t('take'), () => use(draft.decided), { class: 'small' })),
      draft.open.map((o, k) => h('div', { class: 'open', role: 'group', 'aria-label': o.what }, h('p', {}, o.what, o.assumed && h('span', { class: 'soft' }, ' · ' + t('assumed'))),
        h('div', { class: 'choices' }, o.choices.slice(0, 8).map(c => button([h('code', {}, c.notation || '–'), h('span', {}, c.meaning), c.price && h('i', {}, c.price)],
          () => changeDesign(i, { answers: draft.open.map((x, m) => m === k ? c.notation : m < d.answers.length ? d.answers[m] : '\0') }), { class: 'choice', 'aria-pressed': c.notation === o.chosen ? 'true' : 'false' })))))))
}

function designSection(of) {
  return h('section', { 'aria-labelledby': 'h-designs' }, h('h2', { id: 'h-designs' }, t('designs')), columns(state.designs.map((d, i) => designCard(d, i, of))),
    state.designs.length < 3 && button(t('add'), () => { const d = state.designs.at(-1); compareWith(d.text, d.answers) }, { class: 'dashed' }))
}
const compareWith = (text, answers = []) => {
  const taken = state.designs.map(d => d.name), stem = state.designs[0].name.replace(/_\d+$/, '')
  let n = 2
  while (taken.includes(stem + '_' + n)) n++
  simulation = null
  change({ designs: [...state.designs, { name: stem + '_' + n, text, answers }].slice(0, 3) })
}
const columns = (cards, kind = '') => h('div', { class: `columns n${cards.length} ${kind}` }, cards)
const stale = v => v?.stale ? ' stale' : ''
const heading = (i, extra) => state.designs.length > 1 ? h('h3', {}, state.designs[i].name, extra) : null

// ---- the bytes of a key

const printable = b => { const c = parseInt(b, 16); return c > 32 && c < 127 ? String.fromCharCode(c) : '·' }

function bytes(view, pieces, of, value) {
  return h('div', { class: 'bytes' }, pieces.map(p => {
    const f = view.fields[p.at], hex = p.hex.match(/../g) || []
    return h('div', { class: 'piece ' + (p.problem || !f ? 'wrong' : hueOf(f, of) + (f.derived ? ' computed' : '')) },
      h('div', { class: 'of' }, f && f.kind !== 'literal' ? f.name : '\u00a0', f?.derived && f.inputs?.length ? h('span', {}, ' ← ' + f.inputs.join(', ')) : null, f && !f.stored && h('span', {}, ' ' + t('notStored'))),
      h('div', { class: 'cells' }, hex.slice(0, 128).map(b => h('span', {}, b, h('i', {}, printable(b)))), hex.length > 128 && h('span', {}, '…'), !hex.length && h('span', {}, '–', h('i', {}, '\u00a0'))),
      h('div', { class: 'value' }, value(f, p)))
  }))
}

const shortText = p => (p.text || '').replace(/^bucket (\S+) of (\d+)$/, '$1 / $2').replace(/^as the fields give it$/, '✓')

function valueInput(f, p, wrong) {
  if (!f || f.kind === 'literal') return f ? f.notation.slice(1, -1) : ''
  if (f.derived) return shortText(p)
  const value = given(state.values, f) ?? f.sample ?? ''
  const set = e => change({ values: { ...state.values, [f.name]: e.target.value } })
  if (f.values?.length) return h('select', { 'aria-label': f.name, value, onchange: set }, [...new Set([...f.values, value])].map(v => h('option', { value: v }, v)))
  return h('input', { 'aria-label': f.name, class: 'field', 'aria-invalid': wrong === f.name ? 'true' : 'false', size: Math.max(4, Math.min(30, value.length + 1)), maxlength: 4000, spellcheck: 'false', autocomplete: 'off', value, placeholder: f.optional ? t('nullable') : null, oninput: set })
}

function keyCard(v, i, of) {
  if (!v) return h('div', { class: 'card none', key: i }, heading(i), '–')
  const k = v.key
  const pieces = k.pieces || v.fields.map((f, at) => ({ at, hex: '' }))
  return h('div', { class: 'card' + stale(v), key: i }, heading(i), bytes(v, pieces, of, (f, p) => valueInput(f, p, k.field)),
    k.error ? h('div', { class: 'say bad', role: 'status' }, k.error) : h('dl', { class: 'outs' },
      h('dt', {}, t('hex'), ' · ', many(k.bytes, 'byte', 'bytes')), h('dd', {}, h('code', { class: 'hex' }, k.hex), copyButton(k.hex, t('hex'))),
      h('dt', {}, t('shell')), h('dd', {}, h('code', {}, k.shell), copyButton(k.shell, t('shell')))))
}

// ---- questions

function gradeOf(p) {
  if (p.whole || p.error) return 'bad'
  if (!p.count) return 'mid'
  return p.count === 1 && (p.exact || p.share <= .02) || p.count <= 4 && p.exact ? 'good' : 'mid'
}
const headline = p => p.cannot ? t('cannot') : p.whole ? t('whole') : p.error ? t('unread') : !p.count ? t('none') : many(p.count, 'range', 'ranges')
const remark = p => p.cannot ? t('lacks', p.cannot) : p.error ? p.error : !p.count ? '' : p.exact ? t('exactly') : t('more', sampled(p.share), sampled(p.wanted))

function stripes(p, table) {
  const n = Math.max(1, table.keys), starts = [0, ...table.regions]
  return [h('svg', { class: 'stripes', viewBox: '0 0 1000 26', preserveAspectRatio: 'none', role: 'img', 'aria-label': headline(p) + ' ' + remark(p) },
    starts.map((from, i) => h('rect', { class: 'region' + i % 2, x: from / n * 1000, y: 0, width: Math.max(0, ((starts[i + 1] ?? n) - from) / n * 1000), height: 26 })),
    (p.stripes || []).map(([from, to]) => h('rect', { class: 'stripe ' + gradeOf(p), x: Math.min(996.5, from / n * 1000), y: 0, width: Math.max(3.5, (to - from) / n * 1000), height: 26 }))),
  h('div', { class: 'axis' }, h('span', {}, t('first')), table.sampled && h('span', {}, t('sampled')), h('span', {}, t('last')))]
}

function planCard(v, q, i) {
  const p = v?.questions?.[q]
  if (!p) return h('div', { class: 'card none', key: i }, heading(i), '–')
  if (!p.conds.length) return h('div', { class: 'card none', key: i }, heading(i), t('noConditions'))
  const drawn = !p.error || p.whole
  return h('div', { class: 'card' + stale(v), key: i }, heading(i), h('p', {}, h('b', { class: 'big ' + gradeOf(p) }, headline(p)), ' ', remark(p)),
    drawn && h('p', { class: 'soft' }, [p.whole ? t('more', '100 %', sampled(p.wanted)) : p.exact && p.count ? t('ofRows', sampled(p.share)) : '', t('regions', p.regions, v.table.regions.length + 1), p.gets ? many(p.gets > 1024 ? '1024+' : p.gets, 'get', 'gets') : ''].filter(Boolean).join(' · ')),
    drawn && stripes(p, v.table),
    drawn && h('details', {}, h('summary', {}, t('why')),
      p.ranges && h('div', { class: 'scrolls', tabindex: 0, role: 'group', 'aria-label': t('why') }, h('table', { class: 'ranges' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('start') + ' ≥'), h('th', { scope: 'col' }, t('stop') + ' <'))),
        h('tbody', {}, p.ranges.slice(0, 20).map(r => h('tr', {}, h('td', {}, r.start || '–'), h('td', {}, r.stop || t('end'))))))),
      p.count > 20 && h('p', { class: 'soft' }, t('andMore', count(p.count - 20))),
      h('ul', {}, (p.why || []).map(r => h('li', {}, r.field && h('b', {}, r.field + ': '), r.text)))))
}

function questionSection(of) {
  const fields = new Map()
  for (const v of views) for (const f of v?.fields || []) if (!f.derived && f.kind !== 'literal' && !fields.has(f.name)) fields.set(f.name, f)
  const set = (i, q) => change({ questions: state.questions.map((o, k) => k === i ? q : o) })
  const begin = f => { const v = given(state.values, f) ?? f.sample ?? ''; return f.kind === 'time' ? f.name + ':' + v.slice(0, 10) : f.name + '=' + (/[\s,;*%()[\]{}<>"'.]|^[=~]/.test(v) && f.kind === 'string' ? `"${v.replace(/["\\]/g, '\\$&')}"` : v) }
  return h('section', { 'aria-labelledby': 'h-ask' }, h('h2', { id: 'h-ask' }, t('ask')), h('p', { class: 'soft' }, t('askSub')),
    state.questions.map((q, i) => h('div', { class: 'question', key: 'q' + i }, h('div', { class: 'chips' }, h('b', {}, 'Q' + (i + 1)),
      q.map((c, k) => {
        const f = fields.get((/^\s*([\p{L}\p{N}_.-]+)/u.exec(c) || [])[1])
        const asked = views.map(v => v?.questions?.[i]?.conds[k]).filter(Boolean)
        const wrong = asked.length && asked.every(x => x.text === c && x.error)
        return h('span', { class: 'chip ' + (wrong ? 'wrong' : hueOf(f, of)) },
          h('input', { id: `c${i}-${k}`, 'aria-label': t('condition', i + 1), 'aria-invalid': wrong ? 'true' : 'false', size: Math.max(6, c.length + 1), maxlength: 2000, spellcheck: 'false', autocomplete: 'off', value: c, oninput: e => set(i, q.map((o, m) => m === k ? e.target.value : o)) }),
          button('✕', () => set(i, q.filter((_, m) => m !== k)), { class: 'x', 'aria-label': t('remove', c) }))
      }),
      q.length < 16 && [...fields.values()].slice(0, 12).map(f => button('+ ' + f.name, () => { set(i, [...q, begin(f)]); document.getElementById(`c${i}-${q.length}`)?.select() }, { class: 'add ' + hueOf(f, of), 'aria-label': t('addCondition', f.name, i + 1) })),
      button('✕', () => change({ questions: state.questions.filter((_, k) => k !== i) }), { class: 'x', 'aria-label': t('removeQuestion', i + 1) })),
    columns(state.designs.map((_, k) => planCard(views[k], i, k))))),
    state.questions.length < 12 && button(t('addQuestion'), () => change({ questions: [...state.questions, []] }), { class: 'dashed' }))
}

// ---- advice

function findingView(f, i) {
  const kind = { error: 'bad', warning: 'mid', note: 'soft' }[f.severity]
  return h('div', { class: 'finding' }, h('p', {}, h('b', { class: kind }, t(f.severity)), ' ', f.text),
    f.mends && h('p', {}, button(t('mend'), () => replaceDesign(i, f.try), { class: 'main small' }), ' ', state.designs.length < 3 && button(t('beside'), () => compareWith(f.try), { class: 'small' }), ' ', h('code', {}, f.try)),
    !f.mends && f.try && h('p', { class: 'soft' }, f.try),
    lang === 'en' && h('details', { ontoggle: allRules }, h('summary', {}, f.rule), rules?.[f.rule] && h('dl', {}, h('dt', {}, t('hurts')), h('dd', {}, rules[f.rule].hurts), h('dt', {}, t('ignore')), h('dd', {}, rules[f.rule].ignore))))
}
function adviceSection() {
  return h('section', { 'aria-labelledby': 'h-advice' }, h('h2', { id: 'h-advice' }, t('advice')), h('p', { class: 'soft' }, t('adviceSub')),
    columns(state.designs.map((_, i) => h('div', { class: 'card' + stale(views[i]), key: i }, heading(i), !views[i] ? '–' : views[i].findings?.length ? views[i].findings.map(f => findingView(f, i)) : h('p', { class: 'good' }, t('nothing'))))))
}

// ---- writes

// heat is the colour of a share: black, violet, red, yellow, white.
const ramp = [[9, 9, 14], [62, 15, 99], [139, 35, 105], [207, 70, 68], [248, 137, 20], [250, 205, 60], [252, 255, 180]]
function heat(x) {
  const at = Math.min(.9999, Math.sqrt(Math.max(0, x))) * (ramp.length - 1), i = Math.floor(at), part = at - i
  return ramp[i].map((c, k) => Math.round(c + (ramp[i + 1][k] - c) * part))
}
function paintHeat(canvas, d) {
  if (canvas.rowkeyPainted === d) return
  canvas.rowkeyPainted = d
  const columns = d.windows.length, lines = d.lines.length
  canvas.width = columns; canvas.height = lines
  const g = canvas.getContext('2d'), image = g.createImageData(columns, lines)
  for (let y = 0; y < lines; y++) for (let x = 0; x < columns; x++) image.data.set([...(d.few[x] ? [120, 120, 120] : heat(d.cells[y][x])), 255], 4 * (y * columns + x))
  g.putImageData(image, 0, 0)
}
function point(e, i, d) {
  const box = e.currentTarget.getBoundingClientRect()
  const x = Math.floor((e.clientX - box.left) / box.width * d.windows.length), y = Math.floor((e.clientY - box.top) / box.height * d.lines.length)
  if (d.lines[y] && d.windows[x] !== undefined) { hover = { i, text: `${lineName(d.lines[y])} · ${d.windows[x]} · ${percent(d.cells[y][x])}` }; render() }
}
const lineName = l => l.from === '(first)' || !l.from ? t('first') : l.from
function resultCard(d, i) {
  return h('div', { class: 'card' + stale(views[i]), key: i }, heading(i), h('p', {}, h('b', { class: 'big ' + d.grade }, pattern(d.pattern)), ' ', t('takes', d.takes.toFixed(1), d.servers)),
    h('p', { lang: 'en' }, d.says),
    d.refused > 0 && h('p', { class: 'bad' }, t('refused', count(d.refused), d.cause || '')), d.lost > 0 && h('p', { class: 'bad' }, t('lost', percent(d.lost))),
    d.lines.length > 0 && h('div', { class: 'map' }, h('div', { class: 'lines' }, [0, .25, .5, .75].map(x => h('span', {}, lineName(d.lines[Math.floor(x * d.lines.length)])))),
      h('canvas', { role: 'img', 'aria-label': `${pattern(d.pattern)}: ${d.says}`, paint: c => paintHeat(c, d), onpointermove: e => point(e, i, d), onpointerleave: () => { hover = null; render() } }),
      h('svg', { class: 'bars', viewBox: '0 0 100 ' + d.lines.length, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, d.lines.map((l, y) => h('rect', { class: l.share > 2 * l.even ? 'hot' : 'even', x: 0, y: y + .06, width: 100 * l.share / Math.max(...d.lines.map(o => o.share)), height: .88 }))),
      h('div', { class: 'axis' }, h('span', {}, d.windows[0]), h('span', {}, d.windows.at(-1)))),
    h('p', { class: 'tip soft' }, hover && hover.i === i ? hover.text : '\u00a0'))
}
function writesSection() {
  const fields = new Map()
  for (const v of views) for (const f of v?.fields || []) if (f.rows && !fields.has(f.name)) fields.set(f.name, f)
  const s = simulation
  return h('section', { 'aria-labelledby': 'h-writes' }, h('h2', { id: 'h-writes' }, t('writes')), h('p', { class: 'soft' }, t('writesSub')),
    h('div', { class: 'settings' },
      csv ? [h('span', {}, t('csvUsed', csv.name, s?.rows ? count(s.rows) : '…')), csv.long && h('span', { class: 'mid' }, t('csvLong')), s?.cut && h('span', { class: 'mid' }, t('csvCut')), button(t('csvOff'), () => { csv = null; simulate() })]
        : [h('label', {}, t('rows'), h('select', { value: String(state.count), onchange: e => change({ count: +e.target.value }, 'rows') }, [20000, 50000, 100000].map(n => h('option', { value: String(n) }, count(n))), ![20000, 50000, 100000].includes(state.count) && h('option', { value: String(state.count) }, count(state.count)))),
          [...fields.values()].map(f => h('label', {}, f.name, h('input', { 'aria-label': t('madeUp', f.name), size: Math.max(8, Math.min(44, (given(state.rows, f) ?? f.rows).length + 1)), maxlength: 400, spellcheck: 'false', autocomplete: 'off', value: given(state.rows, f) ?? f.rows, oninput: e => change({ rows: { ...state.rows, [f.name]: e.target.value } }) })))],
      h('label', {}, t('servers'), h('input', { type: 'number', min: 1, max: 1000, value: String(state.servers), oninput: e => { const n = Math.round(+e.target.value); if (n >= 1 && n <= 1000) change({ servers: n }, 'rows') } })),
      h('label', { class: 'file' }, t('csv'), h('input', { type: 'file', accept: '.csv,.json,text/csv', onchange: e => { openFile(e.target.files[0]); e.target.value = '' } })), h('span', { class: 'soft' }, t('csvHint'))),
    h('div', { class: 'progress soft', role: 'status' }, running ? t('running') : '\u00a0'),
    s?.error && h('div', { class: 'say bad', role: 'alert' }, s.error), s?.withheld && h('div', { class: 'say mid' }, s.withheld),
    s?.designs && s.designs.length === state.designs.length && [h('p', { class: 'legend soft' }, t('shareOf'), ' 0 ', h('span', { class: 'ramp' }), ' 100 %'), columns(s.designs.map(resultCard))])
}

// ---- side by side

const answerText = a => a.why === 'lacks' ? t('lacksField', a.field) : a.why === 'whole' ? t('whole') : a.why === 'many' ? t('tooMany') : a.exact ? many(a.ranges, 'range', 'ranges') : t('otherRows', many(a.ranges, 'range', 'ranges'))

function differenceView(d, a, b) {
  if (!d) return null
  if (d.error) return h('p', { class: 'bad' }, d.error)
  const more = d.bytes[1] - d.bytes[0]
  return [h('p', {}, h('b', {}, t({ same: 'same', limits: 'limits', bytes: d.kept ? 'kept' + d.kept : 'otherBytes' }[d.verdict], a, b, d.lacking?.[0]))),
    h('ul', {}, (d.renamed || []).map(r => h('li', {}, t('renamed', r[0], r[1]))),
      (d.limits || []).map(l => h('li', {}, t(l.change, l.field || t('theKey'), l.from || t('noLimit'), l.to || t('noLimit')))),
      d.verdict === 'bytes' && [more !== 0 && h('li', {}, t(more > 0 ? 'longer' : 'shorter', Math.abs(more))), h('li', {}, d.lacking ? t('lacking', a, d.lacking.join(', ')) : t('holds', a, b))]),
    d.pieces && h('p', { class: 'pieces' }, d.pieces.map(p => [h('code', { class: p.sign === '+' ? 'good' : 'bad' }, p.sign + ' ' + p.piece), ' '])),
    d.questions && h('div', { class: 'scrolls', tabindex: 0, role: 'group', 'aria-label': t('question') }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('question')), h('th', { scope: 'col' }, a), h('th', { scope: 'col' }, b), h('td', {}))),
      h('tbody', {}, d.questions.map(q => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, q.question)), h('td', {}, answerText(q.from)), h('td', {}, answerText(q.to)), h('td', { class: q.change === 'gains' ? 'good' : 'bad' }, t(q.change)))))))]
}

function sidesSection() {
  if (state.designs.length < 2 || views.some(v => !v)) return null
  const results = simulation?.designs?.length === views.length ? simulation.designs : null
  const row = (label, cells, best) => h('tr', {}, h('th', { scope: 'row' }, label), cells.map((c, i) => h('td', { class: best?.includes(i) ? 'best' : '' }, c, best?.includes(i) && h('span', { class: 'good' }, ' ✓'))))
  const least = list => { const m = Math.min(...list); return list.every(x => x === m) ? [] : list.flatMap((x, i) => x === m ? [i] : []) }
  const cost = p => !p || p.error ? 1e12 : (p.exact ? 0 : 1e6) + p.count
  const found = v => ['error', 'warning', 'note'].map(s => v.findings?.filter(f => f.severity === s).length || 0)
  const faults = v => { const [e, w, n] = found(v); return [e && many(e, 'oneError', 'errors'), w && many(w, 'oneWarning', 'warnings'), n && many(n, 'oneNote', 'notes')].filter(Boolean).join(', ') || t('clean') }
  const rows = [...state.questions.map((q, i) => row(['Q' + (i + 1) + ' ', h('code', {}, q.join(' and '))], views.map(v => v.questions?.[i] ? headline(v.questions[i]) : '–'), least(views.map(v => cost(v.questions?.[i]))))),
    row(t('faults'), views.map(faults), least(views.map(v => { const [e, w, n] = found(v); return e * 1e4 + w * 100 + n })))]
  if (results) rows.unshift(row(t('pattern'), results.map(d => h('span', { class: d.grade }, pattern(d.pattern)))), row(t('serversUsed'), results.map(d => d.takes.toFixed(1) + ' / ' + d.servers), least(results.map(d => -d.takes))),
    row(t('keyBytes'), results.map(d => d.mean.toFixed(1)), least(results.map(d => d.mean))), row(t('cellBytes'), results.map(d => d.cell.toFixed(1)), least(results.map(d => d.cell))))
  return h('section', { 'aria-labelledby': 'h-sides' }, h('h2', { id: 'h-sides' }, t('sides')), h('p', { class: 'soft' }, t('sidesSub')),
    h('div', { class: 'card scrolls', tabindex: 0, role: 'group', 'aria-labelledby': 'h-sides' }, h('table', { class: 'sides' }, h('thead', {}, h('tr', {}, h('td', {}), state.designs.map(d => h('th', { scope: 'col' }, d.name)))), h('tbody', {}, rows))),
    differences.map((d, i) => d && h('div', { class: 'card', key: i }, differenceView(d, state.designs[0].name, state.designs[i + 1]?.name))))
}

// ---- pasted keys

function pastedKey(k, i, of) {
  const v = views[i], name = state.designs[i].name
  return h('div', { class: 'pasted' }, h('p', {}, h('b', { class: 'big ' + (k.error ? 'bad' : 'good') }, t(k.error ? 'fitsNot' : 'fits', name)), ' ', k.form && h('span', { class: 'soft' }, t('readAs', k.form)), ' ',
    !k.error && i === 0 && button(t('useValues'), () => { step(); change({ values: { ...state.values, ...k.values } }) }, { class: 'small' })),
  k.error && h('p', { class: 'bad' }, k.error), k.pieces.length > 0 && v && bytes(v, k.pieces, of, (f, p) => p.problem || (f?.derived ? shortText(p) : f?.kind === 'literal' ? f.notation.slice(1, -1) : p.text)))
}
function inferredView(x) {
  if (x.running) return h('p', { role: 'status' }, t('inferring'))
  if (x.error) return h('p', { class: 'bad' }, x.error)
  return [h('p', {}, h('b', { class: 'big ' + { sure: 'good', open: 'mid', unsure: 'mid', none: 'bad' }[x.verdict] }, x.verdict === 'none' ? t('noLayout') : t({ sure: 'sure', unsure: 'unsure', open: 'openVerdict' }[x.verdict])), ' ', h('span', { class: 'soft' }, t('inferred', count(x.rows)))),
    x.notation && h('p', {}, h('code', {}, x.notation), ' ', button(t('take'), () => replaceDesign(0, x.notation), { class: 'small' })),
    x.misfits > 0 && h('p', { class: 'mid' }, t('misfits', count(x.misfits))), x.partial && h('p', {}, t('partial'), ' ', h('code', {}, x.partial)),
    x.why?.length && h('ul', {}, x.why.map(w => h('li', {}, w))), x.rivals?.length && h('p', { class: 'soft' }, t('rivals'), x.rivals.map(r => h('code', { class: 'block' }, r)))]
}
// pastedLines are the lines that the page takes of a paste. Of one cut within, the last would be another key.
function pastedLines(text) {
  const most = 60000
  if (text.length <= most) return text
  const lines = text.slice(0, text.lastIndexOf('\n', most - 1) + 1) || text.slice(0, most)
  say(t('pasteCut', count(lines.length), count(text.length)))
  return lines
}
function pasteSection(of) {
  const v = views[0]
  return h('section', { 'aria-labelledby': 'h-paste' }, h('h2', { id: 'h-paste' }, t('paste')), h('p', { class: 'soft' }, t('pasteSub')),
    h('textarea', { class: 'paste', 'aria-label': t('pasted'), rows: 3, spellcheck: 'false', autocomplete: 'off', value: state.keys, placeholder: '0c732d34325f7ffffe77dda4124f0000000000000007\n\\x0Cs-42_\\x7F\\xFF…', oninput: e => change({ keys: pastedLines(e.target.value) }, 'keys') }),
    !state.keys && v?.key?.hex && button(t('useKey'), () => change({ keys: v.key.hex }, 'keys'), { class: 'small' }),
    state.keys && inferred && h('div', { class: 'card' }, inferredView(inferred)),
    state.keys && !inferred && explained.map((x, i) => x && h('div', { class: 'card', key: i }, x.error ? h('p', { class: 'bad' }, x.error) : [x.keys.map(k => pastedKey(k, i, of)), x.more > 0 && h('p', { class: 'soft' }, t('moreKeys', x.more)),
      x.mends && [h('p', {}, t('sums')), x.mends.map(m => button([h('b', {}, m.label), h('code', {}, m.notation)], () => replaceDesign(i, m.notation), { class: 'choice sums' }))]])))
}

// ---- take away

const tabs = ['go', 'gengo', 'java', 'notation', 'splits', 'scans', 'lindorm']
function takeSection() {
  const choose = x => { tab = x; taken = []; take(); render() }
  return h('section', { 'aria-labelledby': 'h-take' }, h('h2', { id: 'h-take' }, t('takeAway')),
    h('div', { class: 'tabs', role: 'group', 'aria-labelledby': 'h-take' }, tabs.map(x => button(t(x), () => choose(x), { 'aria-pressed': x === tab ? 'true' : 'false' }))),
    columns(taken.map((x, i) => h('div', { class: 'card code', key: i }, heading(i), !x ? '–' : x.text ? [copyButton(x.text, t(tab)), h('pre', { tabindex: 0, 'aria-label': t(tab) }, x.text)] : h('p', { class: 'mid' }, x.why || x.error)))))
}

// ---- the page

function render() {
  const of = hues(), one = state.designs.length === 1
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
  document.documentElement.dataset.theme = theme
  document.title = t('title')
  const loaded = latest.length > 0
  const key = h('section', { 'aria-labelledby': 'h-key' }, h('h2', { id: 'h-key' }, t('key')), h('p', { class: 'soft' }, t('keySub')), columns(state.designs.map((_, i) => keyCard(views[i], i, of))))
  draw(document.getElementById('app'), [header(), h('main', { class: one ? 'one' : '' },
    dead && h('div', { class: 'say bad', role: 'alert' }, t('dead', dead)),
    unopened && h('div', { class: 'say bad', role: 'alert' }, t(unopened)),
    one ? [h('div', { key: 'left' }, designSection(of), loaded ? key : h('p', { role: 'status' }, t('loading')), loaded && questionSection(of)), loaded && h('div', { key: 'right' }, adviceSection(), writesSection())]
      : [h('div', { key: 'left' }, designSection(of), sidesSection(), loaded && key, loaded && questionSection(of)), h('div', { key: 'right' }, loaded && adviceSection(), loaded && writesSection())],
    loaded && h('div', { key: 'foot', class: 'foot' }, pasteSection(of), takeSection())),
  h('footer', {}, t('stays'), ' ', button(t('file'), save, { class: 'small' })),
  h('div', { class: 'toast', role: 'status', 'data-shown': toast ? 'yes' : 'no' }, toast)])
}

// A browser cuts what is pasted to the maxlength of its input, and says nothing. It is told after the input has it.
addEventListener('paste', e => {
  const f = e.target, text = e.clipboardData.getData('text').replace(/\r\n?|\n/g, f.localName === 'textarea' ? '\n' : '')
  const room = f.maxLength - f.value?.length + f.selectionEnd - f.selectionStart
  if (f.maxLength > 0 && text.length > room) setTimeout(() => say(t('pasteCut', count(room), count(text.length))))
})
addEventListener('dragover', e => e.preventDefault())
addEventListener('drop', e => { e.preventDefault(); openFile(e.dataTransfer.files[0]) })
// refuse says that a link holds nothing that can be shown. The link stays until something is changed.
function refuse(hash) {
  if (hash.length < 2) return
  clearTimeout(timers.link)
  unopened = hash.startsWith('#1') ? 'cutLink' : 'otherLink'
  render()
}
addEventListener('hashchange', async () => {
  const hash = location.hash
  if (hash === written) {
    unopened = ''
    return render()
  }
  const s = await unpack(hash)
  if (!s) return refuse(hash)
  open(s)
  written = hash
})

const begun = await unpack(location.hash)
open(begun || first)
if (!begun) refuse(location.hash)
