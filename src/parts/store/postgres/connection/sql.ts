/** A piece of SQL with its bound values. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** SQL with bound values; a nested Statement is spliced in, everything else is a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let text = strings[0] ?? ''
  const bound: unknown[] = []
  values.forEach((value, index) => {
    if (isStatement(value)) {
      text += behind(bound.length, value.text)
      bound.push(...value.values)
    } else {
      bound.push(value)
      text += `$${bound.length}`
    }
    text += strings[index + 1] ?? ''
  })
  return { text, values: bound }
}

/** Statements side by side, such as the conditions of a where clause. */
export function joined(
  parts: readonly Statement[],
  separator: ' and ' | ', ' | ' union all ',
): Statement {
  const bound: unknown[] = []
  const texts = parts.map((part) => {
    const text = behind(bound.length, part.text)
    bound.push(...part.values)
    return text
  })
  return { text: texts.join(separator), values: bound }
}

/** The text of a statement whose values come behind so many others. */
const behind = (others: number, text: string): string =>
  others === 0 ? text : text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + others}`)

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value
}
