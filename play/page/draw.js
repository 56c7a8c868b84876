// The page is described anew after each change. draw makes the elements like the description and
// keeps those that are there, so that an input keeps its focus and its cursor.

const svg = new Set(['svg', 'rect', 'line'])

// h describes an element. Of its props, on… is a listener, css sets custom properties of its style,
// key names it among its siblings, and paint is called with the element when it was drawn.
export function h(tag, props, ...children) {
  return { tag, props: props || {}, children: children.flat(9).filter(c => c !== null && c !== undefined && c !== false && c !== '') }
}

// draw makes the children of an element like a description. Text becomes text, never markup.
export function draw(parent, wanted) {
  let at = parent.firstChild
  for (const v of wanted) {
    if (typeof v !== 'object') {
      const text = String(v)
      if (at && at.nodeType === 3) {
        if (at.data !== text) at.data = text
        at = at.nextSibling
      } else parent.insertBefore(document.createTextNode(text), at)
      continue
    }
    let node = at
    if (!same(node, v)) {
      node = null
      for (let n = at; v.props.key !== undefined && n && !node; n = n.nextSibling) if (same(n, v)) node = n
      if (!node) node = svg.has(v.tag) ? document.createElementNS('http://www.w3.org/2000/svg', v.tag) : document.createElement(v.tag)
      parent.insertBefore(node, at)
    } else at = at.nextSibling
    dress(node, v)
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next }
}

const same = (node, v) => node && node.nodeType === 1 && node.localName === v.tag && node.rowkeyKey === v.props.key

function dress(node, v) {
  const had = node.rowkeyProps || {}
  node.rowkeyProps = v.props
  node.rowkeyKey = v.props.key
  for (const name in had) if (!(name in v.props) && name !== 'value' && name !== 'key') {
    if (name.startsWith('on')) node[name] = null
    else node.removeAttribute(name === 'css' ? 'style' : name)
  }
  draw(node, v.children) // before value: that of a select needs its options
  for (const [name, value] of Object.entries(v.props)) {
    if (name === 'key' || name === 'paint') continue
    if (name.startsWith('on')) node[name] = value
    else if (name === 'value') { if (node.value !== value) node.value = value }
    else if (name === 'css') for (const [k, x] of Object.entries(value)) node.style.setProperty(k, x)
    else if (value === false || value === null || value === undefined) node.removeAttribute(name)
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? '' : value)
  }
  if (v.props.paint) v.props.paint(node)
}
