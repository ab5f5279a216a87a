import type { Token, Tokens } from 'marked'
import { Marked, Parser } from 'marked'
import type { Html } from './html.ts'
import { escaped, seenText } from './html.ts'
import type { PlaceLink } from './links.ts'
import { linkOf } from './links.ts'

/** A page of the rule book. */
export interface Prose {
  readonly title: string
  readonly body: Html
  /** What is read before the first section. */
  readonly lead: string
  readonly sections: readonly ProseSection[]
}

export interface ProseSection {
  readonly anchor: string
  readonly title: string
  /** As it is read, for the search. */
  readonly text: string
}

/** The anchor of a heading, as those who read the file elsewhere have it, too. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** Renders a page of Markdown, whose first line is its title. */
export function renderProse(text: string, link: PlaceLink): Prose {
  const marked = markedWith(link)
  const tokens = marked.lexer(text)
  const parser = new Parser(marked.defaults)
  const render = (some: Token[]): Html => ({ html: parser.parse(some) })
  const [first, ...others] = parted(tokens)
  if (first === undefined) throw new Error('A page of the manual begins with its title.')
  const [{ text: title }, ...lead] = first
  return {
    title,
    body: render(tokens),
    lead: seenText(render(lead)),
    sections: others.map(([head, ...rest]) => ({
      anchor: anchorOf(head.text),
      title: seenText({ html: parser.parseInline(head.tokens) }),
      text: seenText(render(rest)),
    })),
  }
}

/** Renders a sentence, without a paragraph around it. */
export const renderSentence = (text: string, link: PlaceLink): Html => {
  const marked = markedWith(link)
  return { html: marked.parseInline(text, { async: false }) }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** Each heading with what stands under it, up to the next one. */
function parted(tokens: readonly Token[]): readonly (readonly [Tokens.Heading, ...Token[]])[] {
  const parts: [Tokens.Heading, ...Token[]][] = []
  for (const token of tokens) {
    if (isHeading(token)) parts.push([token])
    else parts.at(-1)?.push(token)
  }
  return parts
}

const markedWith = (link: PlaceLink): Marked =>
  new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const anchor = anchorOf(text)
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = linkOf(link, href)
        return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
      },
      table({ header, rows }) {
        const cell = (name: string, { tokens }: Tokens.TableCell) =>
          `<${name}>${this.parser.parseInline(tokens)}</${name.split(' ')[0]}>`
        const row = (name: string, cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((one) => cell(name, one)).join('')}</tr>\n`
        const head = row('th scope="col"', header)
        const body = rows.map((cells) => row('td', cells)).join('')
        // Tables of one page may have the same columns: where they begin tells them apart.
        const [first = ''] = rows[0]?.map(({ text }) => text.replaceAll('`', '')) ?? []
        const label = escaped(`${header.map(({ text }) => text).join(', ')}, from: ${first}`)
        return (
          `<div class="wide" role="region" tabindex="0" aria-label="Table: ${label}">` +
          `<table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`
        )
      },
      // No page of ours has HTML of its own.
      html: ({ text }) => escaped(text),
    },
  })
