import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CopiedFile } from './copying.ts'
import { copyFile, makeFolder } from './copying.ts'

/** The files in a folder and its folders, by their paths in it; none where it is not there. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}

/** Copies files from one folder into another, under the same paths; those that are gone are not. */
export async function copyFiles(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly CopiedFile[]> {
  const copied: CopiedFile[] = []
  for (const path of paths) {
    await makeFolder(dirname(join(to, path)))
    const sum = await copyFile(join(from, path), join(to, path))
    if (sum !== null) copied.push({ path, ...sum })
  }
  return copied
}

function absent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
