// What the pages of the manual do beyond being read: searching, and requests that can be copied.
// Nothing is sent anywhere but for the index of the search, which comes from the same server.

/** The places that have all the words, the best first. A word may be the beginning of another. */
export function ranked(findable, query, most = 12) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  return findable
    .map((one) => ({ one, worth: worthOf(one, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, most)
    .map(({ one }) => one)
}

function worthOf({ title, page, text }, words) {
  let total = 0
  for (const word of words) {
    const worth = hits(title, word) * 12 + hits(page, word) * 3 + Math.min(hits(text, word), 4)
    if (worth === 0) return 0
    total += worth
  }
  return total
}

/** How often words of a text begin with this one; half of it where it is only within one. */
function hits(text, word) {
  const low = text.toLowerCase()
  let [count, at] = [0, low.indexOf(word)]
  while (at >= 0) {
    count += at === 0 || !/[a-z0-9]/.test(low[at - 1]) ? 1 : 0.5
    at = low.indexOf(word, at + word.length)
  }
  return count
}

/** The words around the first one that was asked for. */
export function excerpt(text, query, length = 120) {
  const [word = ''] = query.toLowerCase().trim().split(/\s+/)
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 30)
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const cut = text.slice(from, from + length)
  return `${from > 0 ? '…' : ''}${cut}${from + length < text.length ? '…' : ''}`
}

if (typeof document !== 'undefined') {
  openSearch()
  openRequests()
}

function openSearch() {
  const form = document.querySelector('form[role=search]')
  const [input, list, count] = ['search', 'results', 'count'].map((id) =>
    document.getElementById(id),
  )
  const { root, index } = document.documentElement.dataset
  let findable = null
  form.hidden = false
  input.addEventListener('input', show)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', move)
  document.addEventListener('keydown', (event) => {
    const writes = event.target.closest?.('input, textarea')
    if (event.key !== '/' || writes || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })

  async function show() {
    findable ??= fetch(index).then((answer) => answer.json())
    let all
    try {
      all = await findable
    } catch {
      findable = null
      count.textContent = 'The search could not be loaded: try again.'
      return
    }
    const found = ranked(all, input.value)
    const asked = input.value.trim() !== ''
    list.hidden = found.length === 0
    count.textContent = asked ? told(found.length) : ''
    list.replaceChildren(...found.map(item))
  }

  function item({ place, page, title, text }) {
    const [element, link, about, words] = ['li', 'a', 'span', 'p'].map((name) =>
      document.createElement(name),
    )
    link.href = root + place
    link.textContent = title
    about.textContent = title === page ? '' : ` ${page}`
    words.textContent = excerpt(text, input.value)
    element.append(link, about, words)
    // A place of this very page is gone to without loading it, which would leave the list open.
    link.addEventListener('click', close)
    return element
  }

  function move(event) {
    if (event.key === 'Escape') return close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const stops = [input, ...list.querySelectorAll('a')]
    event.preventDefault()
    stops[stops.indexOf(document.activeElement) + step]?.focus()
  }

  function close() {
    input.value = ''
    list.hidden = true
    list.replaceChildren()
    count.textContent = ''
  }
}

const told = (count) =>
  count === 0 ? 'Nothing found.' : `${count} ${count === 1 ? 'place' : 'places'} found.`

function openRequests() {
  const form = document.querySelector('form.with-key')
  const input = document.getElementById('key')
  const requests = document.querySelectorAll('pre.request')
  if (form === null) return
  const base = new URL(document.documentElement.dataset.root, location.href).href
  for (const one of document.querySelectorAll('.base'))
    one.textContent = base.replace(/\/docs\/$/, '')
  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  // Where nothing may be stored, the key stays in its field.
  input.value = attempt(() => sessionStorage.getItem('key')) ?? ''
  input.addEventListener('input', () => {
    attempt(() => sessionStorage.setItem('key', input.value))
    mask()
  })
  mask()
  for (const one of requests) one.before(button(one))

  /** The page shows the end of the key only; the copy has all of it. */
  function mask() {
    const shown = input.value === '' ? 'KEY' : `…${input.value.slice(-4)}`
    for (const one of document.querySelectorAll('.key')) one.textContent = shown
  }

  function button(request) {
    const element = document.createElement('button')
    element.type = 'button'
    element.className = 'copy'
    element.textContent = 'Copy'
    const title = request.closest('section')?.querySelector('h2')?.textContent ?? ''
    element.setAttribute('aria-label', `Copy the request: ${title}`)
    element.addEventListener('click', async () => {
      const whole = request.cloneNode(true)
      for (const one of whole.querySelectorAll('.key')) one.textContent = input.value || 'KEY'
      const copied = await copy(whole.textContent)
      element.textContent = copied ? 'Copied' : 'Not copied: select it'
      setTimeout(() => {
        element.textContent = 'Copy'
      }, 2_000)
    })
    return element
  }
}

/** Browsers give their clipboard to pages of https and of this machine alone. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text)
  }
}

function copyBySelecting(text) {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const copied = attempt(() => document.execCommand('copy')) === true
  area.remove()
  return copied
}

function attempt(work) {
  try {
    return work()
  } catch {
    return null
  }
}
