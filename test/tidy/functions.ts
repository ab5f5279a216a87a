import type { SourceFile } from './tree.ts'
import { lineAt } from './tree.ts'

export interface MeasuredFunction {
  readonly name: string
  readonly line: number
  /** Without the named functions declared inside. */
  readonly ownLines: number
  readonly parameters: number
}

interface Span {
  readonly name: string
  readonly hoisted: boolean
  readonly start: number
  readonly end: number
  readonly parameters: number
}

/**
 * Functions with a body of their own lines: declarations, methods, and arrows that open a bracket.
 * The formatter's layout is taken for granted, so brackets and a little of the grammar are enough.
 * A test is a story or a table, and as long as that is: the bound on its file holds for it.
 */
export function functionsOf(file: SourceFile): readonly MeasuredFunction[] {
  const known = measured.get(file)
  if (known !== undefined) return known
  const functions = newlyMeasured(file)
  measured.set(file, functions)
  return functions
}

/** Several rules ask about the same files. */
const measured = new WeakMap<SourceFile, readonly MeasuredFunction[]>()

function newlyMeasured(file: SourceFile): readonly MeasuredFunction[] {
  const spans = [...declarations(file.code), ...methods(file.code), ...arrows(file.code)]
  return spans
    .filter((span) => !isTest(file, span))
    .map((span) => {
      const within = spans.filter(
        (one) => one.hoisted && one !== span && one.start >= span.start && one.end <= span.end,
      )
      return {
        name: span.name,
        line: lineAt(file.code, span.start),
        ownLines: ownLines(file.code, span, within),
        parameters: span.parameters,
      }
    })
}

const isTest = ({ path, code }: SourceFile, { start, end, hoisted }: Span): boolean =>
  (path.endsWith('.test.ts') && !hoisted) ||
  (path.startsWith('test/contracts/') && /\b(describe|it|expect)\b/.test(code.slice(start, end)))

/** Lines of code: of what is blank, or blanked as a comment, a function may have any number. */
function ownLines(code: string, span: Span, without: readonly Span[]): number {
  const characters = code.slice(span.start, span.end).split('')
  for (const { start, end } of without)
    for (let at = start - span.start; at < end - span.start; at += 1)
      if (characters[at] !== '\n') characters[at] = ' '
  return characters
    .join('')
    .split('\n')
    .filter((line) => line.trim() !== '').length
}

function declarations(code: string): readonly Span[] {
  return [...code.matchAll(/\bfunction\b\s*\*?\s*([\w$]*)/g)].flatMap(
    ({ index, 0: head, 1: name }) =>
      spanOf(code, {
        start: index,
        from: index + head.length,
        name: name || 'function',
        hoisted: !!name,
      }),
  )
}

const keywords = /^(if|for|while|switch|catch|function|return|await|typeof|new|super|else|do)$/

function methods(code: string): readonly Span[] {
  return [
    ...code.matchAll(/^[ \t]+(?:(?:async|static|get|set|override)\s+)*\*?(#?[\w$]+)(?=[(<])/gm),
  ].flatMap(({ index, 0: head, 1: name = '' }) =>
    keywords.test(name)
      ? []
      : spanOf(code, { start: index, from: index + head.length, name, hoisted: false }),
  )
}

function arrows(code: string): readonly Span[] {
  return [...code.matchAll(/=>\s*(?=[{([])/g)].map(({ index, 0: arrow }) => {
    const line = code.slice(code.lastIndexOf('\n', index) + 1, index)
    const name = /\b(?:const|let)\s+([\w$]+)/.exec(line)?.[1]
    const end = closing(code, index + arrow.length)
    return { name: name ?? 'arrow', hoisted: false, start: index, end, parameters: 0 }
  })
}

function spanOf(
  code: string,
  head: Pick<Span, 'start' | 'name' | 'hoisted'> & { readonly from: number },
): readonly Span[] {
  const { from, ...rest } = head
  const open = code[from] === '<' ? afterTypes(code, from) : from
  if (code[open] !== '(') return []
  const close = closing(code, open)
  const body = bodyFrom(code, close)
  if (body === null) return []
  const parameters = commas(code.slice(open + 1, close - 1))
  return [{ ...rest, end: closing(code, body), parameters }]
}

function afterTypes(code: string, from: number): number {
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '<') depth += 1
    if (code[at] === '>' && code[at - 1] !== '=') depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

/** Past the bracket that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if ('{(['.includes(code[at] ?? '')) depth += 1
    if ('})]'.includes(code[at] ?? '')) depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

/** Where the body opens behind a parameter list, and behind a return type if there is one. */
function bodyFrom(code: string, from: number): number | null {
  const rest = /^\s*(:)?\s*/.exec(code.slice(from, from + 200))
  let at = from + (rest?.[0].length ?? 0)
  if (rest?.[1] === undefined) return code[at] === '{' ? at : null
  // A brace opens the body after a whole type, and a type before one.
  for (let whole = false; at < code.length; ) {
    const one = code[at] ?? ''
    if (one === '{' && whole) return at
    if (one === '<') at = afterTypes(code, at)
    else if ('{(['.includes(one)) at = closing(code, at)
    else if (';})],='.includes(one) && code[at + 1] !== '>') return null
    else at += code.startsWith('=>', at) ? 2 : 1
    const before = code.slice(0, at).trimEnd()
    whole =
      /[\w$\])}>'"]$/.test(before) && !/(=>|\b(is|keyof|readonly|typeof|extends))$/.test(before)
  }
  return null
}

function commas(list: string): number {
  let [depth, count] = [0, list.trim() === '' ? 0 : 1]
  for (const one of list.trim().replace(/,$/, '').replace(/=>/g, '  ')) {
    if ('{([<'.includes(one)) depth += 1
    if ('})]>'.includes(one)) depth -= 1
    if (one === ',' && depth === 0) count += 1
  }
  return count
}
