import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { root } from './root.ts'

const folders = ['src/', 'bench/', 'test/support/'].map((folder) => join(root, folder))

/** What Node loads itself: Vitest passes these paths on to it. */
export const builtPaths = [/\/dist\/(src|bench|test)\//]

/**
 * Suites try what `npm start` runs: an import of a source takes what the build has made of it,
 * which Node loads itself. So Vitest transforms little more than the test files. What is built must
 * be of the sources as they are.
 */
export const builtCode: Plugin = {
  name: 'built-code',
  enforce: 'pre',
  async configResolved() {
    if (await isBuilt()) return
    throw new Error('What is built is not of these sources: `npm test -- FILE` builds it first.')
  },
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null
    const asked = resolve(dirname(importer), source)
    if (!asked.endsWith('.ts') || !folders.some((folder) => asked.startsWith(folder))) return null
    const built = join(root, 'dist', asked.slice(root.length)).replace(/\.ts$/, '.js')
    return existsSync(built) ? built : null
  },
}

async function isBuilt(): Promise<boolean> {
  // Plain JavaScript: it runs before there is a compiler.
  const program = await import(pathToFileURL(join(root, 'src/start-build.js')).href)
  return (program as { isBuilt(root: string, withTools: boolean): boolean }).isBuilt(root, true)
}
