/** The anchors of all headings of a Markdown text, as GitHub makes them. */
export const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)))

/** The anchors of its sections, in their order. */
export const sectionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => anchorOf(title))

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
