// Loads what start-chunks.js makes of the bundles, in place of Node's loader of modules, which
// takes longer for as many files, and compiles all of them again at every start. The build copies
// this file to dist/run/, beside the chunks. It uses Node's own modules only.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

const requireOther = createRequire(import.meta.url)
const digestBytes = 32
/** By their names. */
const chunks = new Map()

/** Runs a chunk the first time, and answers what it gives out. */
export function load(name) {
  const known = chunks.get(name)
  if (known !== undefined) return known.exports
  const { script } = compiled(name)
  // By this mark a chunk's default is told from all of it.
  const chunk = { exports: Object.defineProperty({}, '__esModule', { value: true }), script }
  chunks.set(name, chunk)
  try {
    script.runInThisContext()(chunk, chunk.exports, requireAny, urlOf(name).href)
  } catch (error) {
    chunks.delete(name)
    throw error
  }
  return chunk.exports
}

/** Keeps what V8 has made of a chunk, with the functions that have run so far. */
export function keepCompiled(name) {
  const { script = compiled(name).script } = chunks.get(name) ?? {}
  const digest = digestOf(readFileSync(urlOf(name), 'latin1'))
  writeFileSync(keptOf(name), Buffer.concat([digest, script.createCachedData()]))
}

function requireAny(id) {
  const chunk = /^(?:\.|\.\.\/run)\/([\w-]+)\.js$/.exec(id)
  return chunk === null ? requireOther(id) : load(chunk[1])
}

function compiled(name) {
  const url = urlOf(name)
  // The bundler writes ASCII alone.
  const source = readFileSync(url, 'latin1')
  const text = `(function (module, exports, require, chunkUrl) { 'use strict'\n${source}\n})`
  const cachedData = keptFor(name, source)
  // Lines are told as they are in the file.
  return { script: new Script(text, { filename: url.href, lineOffset: -1, cachedData }) }
}

/** What another version of V8 has made V8 itself refuses, and compiles the text. */
function keptFor(name, source) {
  try {
    const kept = readFileSync(keptOf(name))
    // Of the text V8 compares the length alone.
    const isOfSource = digestOf(source).equals(kept.subarray(0, digestBytes))
    return isOfSource ? kept.subarray(digestBytes) : undefined
  } catch {
    return undefined
  }
}

const digestOf = (source) => createHash('sha256').update(source, 'latin1').digest()

const urlOf = (name) => new URL(`./${name}.js`, import.meta.url)

const keptOf = (name) => new URL(`./${name}.kept`, import.meta.url)
