/**
 * Blanks what a rule must not read as code. No parser: a scanner that knows comments, the three
 * kinds of strings, templates with what they embed, and regular expressions by what stands before
 * them.
 */
export function maskOf(text: string): { readonly uncommented: string; readonly code: string } {
  const uncommented = text.split('')
  const code = text.split('')
  // How deep in braces each open template's `${` began.
  const templates: number[] = []
  let depth = 0
  let index = 0
  while (index < text.length) index = step()
  return { uncommented: uncommented.join(''), code: code.join('') }

  function step(): number {
    const [one, two] = [text[index] ?? '', text.slice(index, index + 2)]
    if (two === '//') return comment(endOf('\n', index))
    if (two === '/*') return comment(endOf('*/', index + 2) + 2)
    if (one === "'" || one === '"') return string(one)
    if (one === '`') return template(index + 1)
    if (one === '/' && opensRegExp()) return regExp()
    if (one === '{') depth += 1
    if (one === '}') {
      depth -= 1
      if (depth === templates.at(-1)) {
        templates.pop()
        return template(index + 1)
      }
    }
    return index + 1
  }

  function endOf(mark: string, from: number): number {
    const end = text.indexOf(mark, from)
    return end < 0 ? text.length : end
  }

  function comment(end: number): number {
    blank(uncommented, index, end)
    blank(code, index, end)
    return end
  }

  function string(quote: string): number {
    let end = index + 1
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1
    blank(code, index + 1, end)
    return end + 1
  }

  function template(from: number): number {
    let end = from
    while (end < text.length && text[end] !== '`') {
      if (text.startsWith('${', end)) {
        blank(code, from, end)
        templates.push(depth)
        depth += 1
        return end + 2
      }
      end += text[end] === '\\' ? 2 : 1
    }
    blank(code, from, end)
    return end + 1
  }

  /** A slash divides after a value, and opens a regular expression after anything else. */
  function opensRegExp(): boolean {
    const before = code
      .slice(Math.max(0, index - 40), index)
      .join('')
      .trimEnd()
    return !/[\w$)\]}'"`]$/.test(before) || /\b(return|case|typeof|in|of)$/.test(before)
  }

  function regExp(): number {
    let end = index + 1
    let inClass = false
    while (end < text.length && text[end] !== '\n' && (inClass || text[end] !== '/')) {
      if (text[end] === '[') inClass = true
      if (text[end] === ']') inClass = false
      end += text[end] === '\\' ? 2 : 1
    }
    blank(code, index + 1, end)
    return end + 1
  }

  function blank(characters: string[], from: number, end: number): void {
    for (let at = from; at < Math.min(end, text.length); at += 1)
      if (characters[at] !== '\n') characters[at] = ' '
  }
}
