import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BookPage } from './book.ts'
import { readBook } from './book.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import type { Chapter, Contents, Loaded } from './layout.ts'
import { depthOf, pageOf } from './layout.ts'
import type { PlaceLink } from './links.ts'
import { linksFrom } from './links.ts'
import { renderProse } from './markdown.ts'
import type { ApiDescription, PlacedOperation } from './reference/description.ts'
import { operationsByTag } from './reference/description.ts'
import { namesIn } from './reference/fields.ts'
import { resourceBody, resourceTitle } from './reference/resource.ts'

/** A place that can be found by words. */
export interface Findable {
  /** With its anchor, such as `credits#overage`. */
  readonly place: string
  /** The title of its page. */
  readonly page: string
  readonly title: string
  readonly text: string
}

export interface Manual {
  /** A whole page by its place below `/docs`, the first one's being empty; null: there is none. */
  page(place: string): string | null
  /** Everything that can be found, made page by page so that nobody else waits for all of it. */
  findable(): Promise<readonly Findable[]>
}

/** The rule book, and the reference of what `api` has. A page is made when it is asked for. */
export function openManual(api: ApiDescription, loaded: Loaded): Manual {
  const { first, pages } = readBook()
  const resources = [...operationsByTag(api)].map(([name, operations]) => ({ name, operations }))
  const contents: Contents = {
    book: pages,
    reference: resources.map(chapterOf),
  }
  const show = (chapter: Chapter, body: Html) => pageOf(chapter, body, { ...contents, ...loaded })
  return { page, findable }

  function page(place: string): string | null {
    const link = linksFrom(depthOf(place))
    if (place === '') {
      const { title, body } = renderProse(first, link)
      return show({ place, title, sections: [] }, html`${body}${overview(resources, link)}`)
    }
    const prose = pages.find((one) => one.place === place)
    if (prose !== undefined) {
      const { body, ...rest } = renderProse(prose.text, link)
      return show({ ...rest, place }, body)
    }
    const resource = resources.find((one) => placeOf(one) === place)
    return resource === undefined
      ? null
      : show(chapterOf(resource), resourceBody(api, resource, link))
  }

  async function findable(): Promise<readonly Findable[]> {
    const all: Findable[] = []
    for (const one of pages) {
      all.push(...findableProse(one))
      await nextTurn()
    }
    return [...all, ...resources.flatMap(findableRoutes)]
  }
}

interface Resource {
  readonly name: string
  readonly operations: readonly PlacedOperation[]
}

const placeOf = ({ name }: Resource): string => `api/${name}`

const chapterOf = (resource: Resource): Chapter => ({
  place: placeOf(resource),
  title: resourceTitle(resource.name),
  sections: resource.operations.map(({ operationId, summary }) => ({
    anchor: operationId,
    title: summary,
  })),
})

/** Every route there is, on the first page. */
const overview = (resources: readonly Resource[], link: PlaceLink): Html => html`
<h2 id="api"><a href="#api">The API</a></h2>
<p>Every route that is served, from <a href="${link('../openapi.json')}">its description</a>.</p>
${resources.map(
  (one) => html`<h3><a href="${link(placeOf(one))}">${resourceTitle(one.name)}</a></h3>
<ul class="routes">${one.operations.map((operation) => entryOf(one, operation, link))}</ul>`,
)}`

function entryOf(resource: Resource, operation: PlacedOperation, link: PlaceLink): Html {
  const { method, path, operationId, summary } = operation
  const place = `${placeOf(resource)}#${operationId}`
  return html`<li><a href="${link(place)}">${summary}</a> <code>${method} ${path}</code></li>`
}

function findableProse({ place, title: page, text }: BookPage): readonly Findable[] {
  const { lead, sections } = renderProse(text, linksFrom(1))
  const parts = sections.map(({ anchor, ...one }) => ({
    ...one,
    place: `${place}#${anchor}`,
    page,
  }))
  return [{ place, page, title: page, text: lead }, ...parts]
}

const findableRoutes = (resource: Resource): readonly Findable[] =>
  resource.operations.map((operation) => ({
    place: `${placeOf(resource)}#${operation.operationId}`,
    page: resourceTitle(resource.name),
    title: operation.summary,
    text: wordsOf(operation).join(' '),
  }))

/** Its path, and the names of all that it takes. */
const wordsOf = ({ method, path, parameters, requestBody }: PlacedOperation) => [
  `${method} ${path}`,
  ...parameters.map(({ name }) => name),
  ...new Set(Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => namesIn(schema))),
]
