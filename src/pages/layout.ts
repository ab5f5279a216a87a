import type { Html } from './html.ts'
import { html } from './html.ts'
import type { Depth, PlaceLink } from './links.ts'
import { linksFrom } from './links.ts'

/** A page, as the list of contents names it. */
interface Named {
  /** Below `/docs`, such as `credits` or `api/meters`; empty: the first page. */
  readonly place: string
  readonly title: string
}

/** A page with what stands on it; the list of contents shows that of the page itself. */
export interface Chapter extends Named {
  readonly sections: readonly { readonly anchor: string; readonly title: string }[]
}

export interface Contents {
  readonly book: readonly Named[]
  readonly reference: readonly Named[]
}

/** Files that pages load, with the digests that make a new address of each new text. */
export interface Loaded {
  readonly style: string
  readonly script: string
}

/** A whole page: the same frame around every body. */
export function pageOf(chapter: Chapter, body: Html, frame: Contents & Loaded): string {
  const depth = depthOf(chapter.place)
  const link = linksFrom(depth)
  return html`<!doctype html>
<html lang="en" data-root="${link('x').slice(0, -1)}" data-index="${link('search.json')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${chapter.place === '' ? 'Sluice manual' : `${chapter.title} – Sluice manual`}</title>
<link rel="stylesheet" href="${link(frame.style)}">
<script type="module" src="${link(frame.script)}"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="${link('')}">Sluice manual</a>
<a class="jump" href="#contents">Contents</a>
<form role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="results">
<p id="count" class="count" role="status"></p>
<ul id="results" class="results" hidden></ul>
</form>
</header>
<main id="content" tabindex="-1">
${body}
</main>
<nav id="contents" aria-label="Contents">
<h2>Rule book</h2>
${chaptersOf(frame.book, chapter, link)}
<h2>API</h2>
${chaptersOf(frame.reference, chapter, link)}
</nav>
</body>
</html>
`.html
}

export const depthOf = (place: string): Depth => (place === '' ? 0 : place.includes('/') ? 2 : 1)

const chaptersOf = (all: readonly Named[], here: Chapter, link: PlaceLink): Html =>
  html`<ul>${all.map(({ place, title }) =>
    place === here.place
      ? html`<li><a href="${link(place)}" aria-current="page">${title}</a><ul>${here.sections.map(
          (one) => html`<li><a href="#${one.anchor}">${one.title}</a></li>`,
        )}</ul></li>`
      : html`<li><a href="${link(place)}">${title}</a></li>`,
  )}</ul>`
