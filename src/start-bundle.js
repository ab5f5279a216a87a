// Joins the modules of each program, and of the packages that it uses, to a few files, as the last
// step of the build: a start that opens more than a thousand files takes twice as long. Programs
// stay where the compiler has put them.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
// esbuild: the bundler that is most widely used by itself, and one binary.
import { build, transform } from 'esbuild'
import { writeChunks } from './start-chunks.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

/**
 * A module finds its own files, such as migrations, beside where the compiler has put it. All
 * bundles stand two folders below `dist`, so that one relative path holds for each.
 */
const files = {
  name: 'files',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(src|workers)\/.*\.ts$/ }, ({ path }) => {
      const compiled = relative(root, path).replace(/\.ts$/, '.js')
      const here = `new URL(${JSON.stringify(`../${compiled}`)}, import.meta.url).href`
      const contents = textOf(path, compiled).replaceAll('import.meta.url', here)
      return { contents, loader: 'ts', resolveDir: dirname(path) }
    }),
}

/**
 * Hundreds of small files, a third of all code: joined to a file of their own, which is read with
 * the first tax number, since most processes judge none. What the package gives out are tables,
 * which are read by the key.
 */
const taxNumbers = {
  name: 'tax numbers',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^stdnum$/ }, ({ path, namespace }) =>
      namespace === 'lazy'
        ? { path: '../run/stdnum.cjs', external: true }
        : { path, namespace: 'lazy' },
    )
    onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({ contents: lazyTables, resolveDir: root }))
  },
}

const lazyTables = `
  const table = (name) => new Proxy({}, {
    get: (_, key) => require('stdnum')[name][key],
    has: (_, key) => key in require('stdnum')[name],
  })
  export const entityValidators = table('entityValidators')
  export const euVat = table('euVat')
  export const stdnum = table('stdnum')
`

/**
 * What asks whether this is a Worker of Cloudflare's makes a `Response`, for which Node 20 loads
 * all of its fetch: some 25 ms of every process.
 */
const onNode = {
  name: 'on Node',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/node_modules\/pg\/lib\/stream\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replace('if (isCloudflareRuntime()) {', 'if (false) {')
      if (contents === text) throw new Error(`${path} asks otherwise where it runs.`)
      return { contents, loader: 'js' }
    }),
}

/**
 * Packages that bring programs, native code or files of their own beside their modules, and those
 * that most processes never load: they stay where npm has put them.
 */
const ownFiles = ['lmdb', 'piscina', 'pdfkit', 'pg-native', '@node-rs/*']

/** The build has written the checks of all schemas in the place of what compiles them. */
function textOf(path, compiled) {
  if (compiled !== 'src/std/validators.js') return readFileSync(path, 'utf8')
  return readFileSync(join(dist, compiled), 'utf8').replace("'./formats.js'", "'./formats.ts'")
}

const workers = readdirSync(join(root, 'workers')).filter((name) => name.endsWith('.ts'))
const programs = [
  'src/main',
  'src/main-engine',
  ...workers.map((name) => `workers/${name.replace(/\.ts$/, '')}`),
]

const { metafile, outputFiles } = await build({
  entryPoints: programs.map((program) => ({ in: join(root, `${program}.ts`), out: program })),
  absWorkingDir: root,
  outdir: dist,
  write: false,
  metafile: true,
  charset: 'ascii',
  chunkNames: 'run/[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ownFiles,
  plugins: [files, taxNumbers, onNode],
  logLevel: 'warning',
})

await build({
  entryPoints: [{ in: 'stdnum', out: 'run/stdnum' }],
  absWorkingDir: root,
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
})

await writeChunks(
  outputFiles.map(({ path, text }) => ({
    name: basename(path, '.js'),
    text,
    names: metafile.outputs[relative(root, path)].exports,
  })),
  { dist, programs, transform },
)

/** The console, for browsers: one script and one style sheet. */
const app = join(root, 'src/pages/console/app')
await build({
  entryPoints: [
    { in: join(app, 'main.tsx'), out: 'console' },
    { in: join(app, 'console.css'), out: 'console' },
  ],
  outdir: join(dist, 'src/pages/console/browser'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
})
