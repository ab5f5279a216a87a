import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, stop, transform } from 'esbuild'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scratchDirectory } from './support/process/server.ts'

/** Plain JavaScript: it runs before there is a compiler. */
const { writeChunks }: Chunks = await import(
  new URL('../src/start-chunks.js', import.meta.url).href
)

interface Chunks {
  writeChunks(
    modules: readonly { readonly name: string; readonly text: string; names: readonly string[] }[],
    to: { dist: string; programs: readonly string[]; transform: unknown },
  ): Promise<void>
}

let scratch: ReturnType<typeof scratchDirectory>
beforeEach(() => {
  scratch = scratchDirectory()
  writeFileSync(join(scratch.path, 'package.json'), '{ "type": "module" }')
})
afterEach(() => scratch.remove())
// The bundler's own process.
afterAll(stop)

/** Bundles programs as the build does, and joins what they share. */
async function bundled(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch.path, name), text)
  const { metafile, outputFiles } = await build({
    entryPoints: ['one', 'two'].map((name) => ({
      in: join(scratch.path, `${name}.mjs`),
      out: `src/${name}`,
    })),
    absWorkingDir: scratch.path,
    outdir: join(scratch.path, 'dist'),
    chunkNames: 'run/[hash]',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
  })
  const modules = outputFiles.map(({ path, text }) => {
    const output = metafile.outputs[path.slice(scratch.path.length + 1)]
    return { name: path.replace(/.*\/|\.js$/g, ''), text, names: output?.exports ?? [] }
  })
  const to = { dist: join(scratch.path, 'dist'), programs: ['src/one', 'src/two'], transform }
  await writeChunks(modules, to)
}

const run = (name: string): string =>
  execFileSync(process.execPath, [join(scratch.path, `dist/src/${name}.js`)], { encoding: 'utf8' })

const chunkWith = (text: string): string => {
  const folder = join(scratch.path, 'dist/run')
  const found = readdirSync(folder).find(
    (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(text),
  )
  return join(folder, found ?? 'none')
}

describe('the chunks of the build', () => {
  it('share what stays and what changes, and load the rest when it is wanted', async () => {
    await bundled({
      'shared.mjs': `
        export let count = 0
        export const add = () => { count += 1 }
        export const word = 'export {\\n  word\\n};\\n'
        export { readFileSync as read } from 'node:fs'`,
      'later.mjs': `import { add } from './shared.mjs'
        add()
        export default 'later'`,
      'one.mjs': `import { add, count, read, word } from './shared.mjs'
        add()
        export const ended = import('./later.mjs').then((later) =>
          console.log(count, word.length, typeof read, later.default, import.meta.url))`,
      'two.mjs': `import { count, word } from './shared.mjs'
        export default () => word
        console.log(count)`,
    })
    const here = `file://${join(scratch.path, 'dist/run/one.js')}`
    expect(run('one')).toBe(`2 19 function later ${here}\n`)
    expect(run('two')).toBe('0\n')
    const { default: two } = await import(join(scratch.path, 'dist/src/two.js'))
    expect(two()).toBe('export {\n  word\n};\n')
  })

  it('run as they are, whatever was kept of them', async () => {
    await bundled({
      'shared.mjs': `export const say = (text) => console.log('before', text)`,
      'one.mjs': `import { say } from './shared.mjs'
        say(1)`,
      'two.mjs': `import { say } from './shared.mjs'
        say(2)`,
    })
    expect(run('one')).toBe('before 1\n')
    const chunk = chunkWith('before')
    const kept = chunk.replace(/\.js$/, '.kept')
    expect(readFileSync(kept).length).toBeGreaterThan(100)
    writeFileSync(chunk, readFileSync(chunk, 'utf8').replace('before', 'behind'))
    expect(run('one')).toBe('behind 1\n')
    writeFileSync(kept, 'What no V8 has made.')
    expect(run('two')).toBe('behind 2\n')
  })

  it('fail as programs do', async () => {
    await bundled({
      'one.mjs': `export const ended = Promise.reject(new Error('It failed.'))`,
      'two.mjs': `throw new Error('It failed.')`,
    })
    for (const name of ['one', 'two']) expect(() => run(name)).toThrow(/Error: It failed\./)
  })
})
