// Turns the bundler's modules into the chunks that start-load.js loads: CommonJS, with what V8 has
// made of each beside it. The bundler itself splits code into ES modules only.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const loader = fileURLToPath(new URL('start-load.js', import.meta.url))

/**
 * Writes all chunks to `run/` below `dist`. `modules` are the bundler's, each with its `name`, its
 * `text` and the `names` that it exports. Each of `programs`, a path below `dist` without `.js`,
 * stays where it is: it loads the chunk of its name, exports the same default, and awaits all that
 * the chunk exports. `transform` is the bundler's.
 */
export async function writeChunks(modules, { dist, programs, transform }) {
  const run = join(dist, 'run')
  mkdirSync(run, { recursive: true })
  const all = new Map(modules.map((module) => [module.name, { ...module, ...partsOf(module) }]))
  if (all.size < modules.length) throw new Error('Two chunks have the same name.')
  for (const chunk of all.values()) {
    writeFileSync(join(run, `${chunk.name}.js`), await chunkOf(chunk, all, transform))
  }
  const load = join(run, 'load.js')
  copyFileSync(loader, load)
  for (const program of programs) {
    const from = relative(dirname(program), join('run', 'load.js'))
    mkdirSync(join(dist, dirname(program)), { recursive: true })
    writeFileSync(join(dist, `${program}.js`), programOf(basename(program), from))
  }
  const started = new Set(programs.map((program) => basename(program)))
  await keepAll(
    load,
    [...all.keys()].filter((name) => !started.has(name)),
    [...started],
  )
}

const programOf = (name, from) => `import { load } from ${JSON.stringify(from)}
const program = load(${JSON.stringify(name)})
export default program.default
await Promise.all(Object.values(program))
`

async function keepAll(loader, names, programs) {
  const { load, keepCompiled } = await import(pathToFileURL(loader).href)
  for (const name of names) {
    try {
      load(name)
    } catch {
      // It may want native code that is not for this machine: then it is kept as it is compiled.
    }
  }
  for (const name of [...names, ...programs]) keepCompiled(name)
}

// ------------------------------------------------------------------------ one chunk

/** Of a module's text: what it takes of other chunks, its code, and the names that it gives. */
function partsOf({ text, names }) {
  const taking = /(?:\s|\/\/.*\n)*import(?: \{([^}]*)\} from)? "(?:\.|\.\.\/run)\/([\w-]+)\.js";\n/y
  const taken = []
  let start = 0
  for (let found = taking.exec(text); found !== null; found = taking.exec(text)) {
    taken.push({ from: found[2], pairs: pairsOf(found[1] ?? '') })
    start = taking.lastIndex
  }
  const end = text.lastIndexOf('\nexport {\n')
  const giving = /\nexport \{([^}]*)\};\n/y
  giving.lastIndex = end
  const found = end < 0 ? null : giving.exec(text)
  const given = pairsOf(found?.[1] ?? '').map(([inner, outer]) => ({ inner, outer }))
  const same =
    [...names].sort().join() ===
    given
      .map(({ outer }) => outer)
      .sort()
      .join()
  // The bundler has other forms, too, which are left to it.
  if (!same || found === null) return { taken, code: text.slice(start), given: [] }
  return { taken, code: `${text.slice(start, end)}\n${text.slice(giving.lastIndex)}`, given }
}

const pairsOf = (list) =>
  [...list.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)].map(([, one, other = one]) => [one, other])

/**
 * Other chunks take the value of a name once, which is then as fast as a name of their own. A name
 * whose value changes is looked up at each use: that is left to the bundler.
 */
async function chunkOf(chunk, all, transform) {
  const isStill = (name, from) => stillOf(all.get(from), all).has(name)
  const takes = chunk.taken.map(({ from, pairs }) => {
    const [still, moving] = [true, false].map((wanted) =>
      pairs.filter(([outer]) => isStill(outer, from) === wanted),
    )
    const id = JSON.stringify(`./${from}.js`)
    const list = still.map(([outer, inner]) => `${outer}: ${inner}`).join(', ')
    const required = still.length === 0 ? `require(${id});` : `const { ${list} } = require(${id});`
    const names = moving.map(([outer, inner]) => `${outer} as ${inner}`).join(', ')
    return moving.length === 0 ? required : `${required}\nimport { ${names} } from ${id};`
  })
  const still = stillOf(chunk, all)
  const moving = chunk.given.filter(({ outer }) => !still.has(outer))
  const names = moving.map(({ inner, outer }) => `${inner} as ${outer}`).join(', ')
  const exported = names === '' ? '' : `export { ${names} };\n`
  const { code } = await transform(`${takes.join('\n')}\n${chunk.code}\n${exported}`, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'chunkUrl' },
    supported: { 'dynamic-import': false },
  })
  const gives = chunk.given
    .filter(({ outer }) => still.has(outer))
    .map(({ inner, outer }) => `module.exports.${outer} = ${inner};\n`)
  return `${code}${gives.join('')}`
}

/** The names that a chunk gives whose values never change once it has run. */
function stillOf(chunk, all) {
  if (chunk.still !== undefined) return chunk.still
  // Of chunks that need each other the values may come later.
  chunk.still = new Set()
  const taken = new Map(
    chunk.taken.flatMap(({ from, pairs }) =>
      pairs.map(([outer, inner]) => [inner, stillOf(all.get(from), all).has(outer)]),
    ),
  )
  const still = chunk.given.filter(({ inner }) => taken.get(inner) ?? isSetOnce(inner, chunk.code))
  chunk.still = new Set(still.map(({ outer }) => outer))
  return chunk.still
}

/** A name within a function may be the same: then this is false, and costs little. */
function isSetOnce(name, code) {
  const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`
  const sets = `${word}\\s*(?:=(?![=>])|\\+\\+|--|[-+*/%&|^?<>]{1,3}=(?!=))|(?:\\+\\+|--)${word}`
  const declared = `(?:function\\*?|class) ${word}|(?:var|let|const) ${word} =`
  const count = (pattern) => (code.match(new RegExp(pattern, 'g')) ?? []).length
  const initialised = count(`(?:var|let|const) ${word} =`)
  return count(declared) === 1 && count(sets) === initialised
}
