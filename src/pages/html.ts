/** HTML as it is sent. Whatever else is put into a page is escaped. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | readonly Part[]

/** A piece of a page: texts are escaped, lists joined, null is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = texts.map((text, index) => text + written(parts[index] ?? null))
  return { html: pieces.join('') }
}

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(written).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** What somebody reads of a piece of HTML that we made. */
export function seenText({ html: markup }: Html): string {
  const text = markup.replace(/<[^>]*>/g, ' ')
  const letters = Object.entries(entities)
  const read = letters.reduceRight(
    (rest, [letter, entity]) => rest.replaceAll(entity, letter),
    text,
  )
  return read.replace(/\s+/g, ' ').trim()
}
