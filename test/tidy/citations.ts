import { anchorsIn } from '../support/pages/anchors.ts'
import type { Rule, SourceFile } from './tree.ts'
import { lineAt } from './tree.ts'

/** `[credits#rollover, bench/README.md#goals]`: places where a rule is written down. */
const citation = /\[([\w./-]+#[\w-]+(?:,(?:\s|\*|\/\/|--)+[\w./-]+#[\w-]+)*)\]/g

/** Documents that no reader of the repository can open. */
const elsewhere =
  /\b(?:rulings?|contract|design|interfaces|hazards?),? (?:[A-I]?\.?\d|Routes|Metrics)/g

const manual = 'src/pages/docs/'

/**
 * A rule that is cited stands in this repository: in the manual (`page#anchor`), or in another
 * document by its path; and the anchor is there.
 */
export const citations: Rule = (files) => {
  const documents = new Map(
    files
      .filter(({ path }) => path.endsWith('.md'))
      .map(({ path, text }) => [path, anchorsIn(text)]),
  )
  return files.filter(isOurs).flatMap((file) => [
    ...[...file.text.matchAll(citation)].flatMap(({ index, 1: cited = '' }) =>
      cited.split(/,(?:\s|\*|\/\/|--)+/).flatMap((place) => {
        const [page = '', anchor = ''] = place.split('#')
        const path = page.endsWith('.md') ? page : `${manual}${page}.md`
        if (documents.get(path)?.has(anchor) === true) return []
        return [`${file.path}:${lineAt(file.text, index)}: ${place} is not there. Cite what is.`]
      }),
    ),
    ...[...file.text.matchAll(elsewhere)].map(
      ({ index, 0: found }) =>
        `${file.path}:${lineAt(file.text, index)}: "${found}" cannot be opened. Cite the manual.`,
    ),
  ])
}

const isOurs = ({ path }: SourceFile): boolean =>
  /\.(ts|js|sql|md|lua)$/.test(path) && !path.startsWith('test/tidy/')
