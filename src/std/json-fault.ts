/** Where a text stops being JSON. Lines and columns count from 1, columns in UTF-16 units. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  /** Whether the text ends too early. */
  readonly isEnd: boolean
}

/**
 * The first character that makes a text invalid JSON; null for JSON. V8 tells it only for some
 * mistakes, and quotes the text, which may be secret.
 */
export function jsonFault(text: string): JsonFault | null {
  const at = faultOffset(text)
  if (at === null) return null
  let [line, lineStart] = [1, 0]
  for (let index = 0; index < at; index += 1) {
    if (text.charCodeAt(index) !== lineFeed) continue
    line += 1
    lineStart = index + 1
  }
  return { line, column: at - lineStart + 1, isEnd: at === text.length }
}

const lineFeed = 0x0a

/** What may come next. `first` and `firstKey` also allow closing what was just opened. */
type Next = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'more'

/** Not recursive, so that no depth of nesting can overflow the stack. */
function faultOffset(text: string): number | null {
  const open: ('[' | '{')[] = []
  let next: Next = 'value'
  let at = 0
  for (;;) {
    at = behindBlanks(text, at)
    const char = text[at]
    if (char === undefined) return next === 'more' && open.length === 0 ? null : at
    const inside = open.at(-1)
    if (next === 'colon') {
      if (char !== ':') return at
      next = 'value'
      at += 1
    } else if (next === 'more' && char === ',' && inside !== undefined) {
      next = inside === '{' ? 'key' : 'value'
      at += 1
    } else if (closes(char, inside, next)) {
      open.pop()
      next = 'more'
      at += 1
    } else if (next === 'more') return at
    else if (next === 'key' || next === 'firstKey') {
      const end = char === '"' ? stringEnd(text, at) : -1 - at
      if (end < 0) return -1 - end
      next = 'colon'
      at = end
    } else if (char === '[' || char === '{') {
      open.push(char)
      next = char === '[' ? 'first' : 'firstKey'
      at += 1
    } else {
      const end = scalarEnd(text, at)
      if (end < 0) return -1 - end
      next = 'more'
      at = end
    }
  }
}

const closes = (char: string, inside: '[' | '{' | undefined, next: Next): boolean =>
  (char === ']' && inside === '[' && (next === 'first' || next === 'more')) ||
  (char === '}' && inside === '{' && (next === 'firstKey' || next === 'more'))

function behindBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== lineFeed && code !== 0x0d && code !== 0x09) return at
    at += 1
  }
}

// The functions below answer the offset after what they read, or -1 minus the offset of a mistake
// in it.

function scalarEnd(text: string, at: number): number {
  const char = text[at]
  if (char === '"') return stringEnd(text, at)
  const word = char === 't' ? 'true' : char === 'f' ? 'false' : char === 'n' ? 'null' : null
  return word === null ? numberEnd(text, at) : wordEnd(text, at, word)
}

function wordEnd(text: string, at: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) {
    if (text[at + index] !== word[index]) return -1 - (at + index)
  }
  return at + word.length
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    // True for a control character and, through NaN, at the end of the text.
    if (!(code >= 0x20)) return -1 - at
    if (code !== 0x5c) continue
    at += 1
    const escaped = text[at]
    if (escaped === undefined || !'"\\/bfnrtu'.includes(escaped)) return -1 - at
    if (escaped !== 'u') continue
    for (const end = at + 4; at < end; at += 1) {
      if (!isHex(text.charCodeAt(at + 1))) return -1 - (at + 1)
    }
  }
}

const isHex = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)

function numberEnd(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start
  const whole = digitsEnd(text, at)
  if (whole === at) return -1 - at
  // After a leading 0 the number is over, so 01 is a mistake at the 1.
  at = text[at] === '0' ? at + 1 : whole
  if (text[at] === '.') {
    const end = digitsEnd(text, at + 1)
    if (end === at + 1) return -1 - end
    at = end
  }
  if (text[at] === 'e' || text[at] === 'E') {
    const signed = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
    const end = digitsEnd(text, signed)
    if (end === signed) return -1 - end
    at = end
  }
  return at
}

function digitsEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= 0x30 && code <= 0x39)) return at
    at += 1
  }
}
