// What a checkout page does beyond its form, which works without this: what it comes to is shown as
// soon as a choice has changed, a card's digits stand in groups, and nobody pays twice by a second
// click. It stands in the page itself, and nothing is sent anywhere but to the page's own address.

const paysBy = 'button:not([formaction])'
const ofCard = '[autocomplete^=cc-]'

/** Groups of four, as they stand on a card. */
export const inGroups = (text) =>
  text
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** Month and year, with the stroke between them; a year may be written out. */
export function withStroke(text) {
  const digits = text.replace(/\D/g, '').replace(/^[2-9]/, '0$&')
  const [month, rest] = [digits.slice(0, 2), digits.slice(2)]
  if (rest === '') return month
  const [, year] = /^20(\d\d)/.exec(rest) ?? []
  return `${month}/${year ?? rest.slice(0, /^20\d/.test(rest) ? 3 : 2)}`
}

/** Writes a field's text anew while it is typed at its end: in the middle it is being mended. */
function writing(field, written) {
  field?.addEventListener('input', ({ inputType }) => {
    const { selectionStart, value } = field
    if (inputType?.startsWith('delete') || selectionStart !== value.length) return
    const text = written(value)
    if (text !== value) field.value = text
  })
}

/** All but what was entered of the card, which stays in the page until somebody pays. */
function enteredIn(form) {
  const entered = new URLSearchParams(new FormData(form))
  for (const { name } of form.querySelectorAll(ofCard)) entered.delete(name)
  return entered
}

/** Shows what choices come to; a page that cannot be had leaves the button that asks for it. */
function recalculating(form) {
  const button = form.querySelector('button[formaction][formnovalidate]')
  if (button === null) return
  const table = document.querySelector('table')
  table?.setAttribute('aria-live', 'polite')
  let timer
  button.hidden = true
  for (const kind of ['change', 'input']) {
    form.addEventListener(kind, ({ target }) => {
      // Of a text only all of it says something.
      if (target.matches(ofCard) || (kind === 'input' && target.type !== 'number')) return
      clearTimeout(timer)
      timer = setTimeout(ask, kind === 'input' ? 400 : 200)
    })
  }

  async function ask() {
    const asked = enteredIn(form)
    try {
      const answer = await fetch(button.formAction, { method: 'POST', body: asked })
      if (!answer.ok) throw new Error(`${answer.status}`)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      // Somebody went on choosing: there is another answer on its way, or will be.
      if (`${enteredIn(form)}` === `${asked}`) show(page)
    } catch {
      button.hidden = false
    }
  }

  function show(page) {
    for (const part of ['table', 'form [data-part=order]', 'form [data-part=tax]']) {
      replace(document.querySelector(part), page.querySelector(part))
    }
    // What costs nothing needs no card.
    for (const { name, required } of page.querySelectorAll(ofCard)) {
      const field = form.elements[name]
      if (field !== undefined) field.required = required
    }
    const [pay, paid] = [document, page].map((each) => each.querySelector(paysBy))
    if (pay !== null && paid !== null) pay.textContent = paid.textContent
  }
}

/** What is new in a part of the page; the field that somebody is in stays as it is. */
function replace(old, next) {
  if (old === null || next === null || old.innerHTML === next.innerHTML) return
  const here = document.activeElement
  const [all, fresh] = [[...old.children], [...next.children]]
  if (old.contains(here) && all.length === fresh.length) {
    all.forEach((each, index) => {
      if (!each.contains(here)) each.replaceWith(fresh[index])
    })
    return
  }
  const name = old.contains(here) ? here.name : ''
  old.replaceChildren(...next.childNodes)
  if (name) old.querySelector(`[name="${CSS.escape(name)}"]`)?.focus()
}

/** The first click pays; another one waits for its answer. */
function payingOnce(form) {
  const buttons = () => form.querySelectorAll('button')
  form.addEventListener('submit', () => {
    // Afterwards, since a button that is out of use sends nothing.
    setTimeout(() => {
      form.setAttribute('aria-busy', 'true')
      for (const button of buttons()) button.disabled = true
    })
  })
  // Whoever comes back to the page can pay again.
  addEventListener('pageshow', () => {
    form.removeAttribute('aria-busy')
    for (const button of buttons()) button.disabled = false
  })
}

const form = globalThis.document?.querySelector('form')
if (form) {
  writing(form.querySelector('[autocomplete=cc-number]'), inGroups)
  writing(form.querySelector('[autocomplete=cc-exp]'), withStroke)
  recalculating(form)
  payingOnce(form)
}
