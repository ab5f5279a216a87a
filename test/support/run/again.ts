import { existsSync, readFileSync } from 'node:fs'

/** What a run has written to TEST_RESULTS of one file. */
interface FileResult {
  readonly name: string
  readonly status: string
}

/** More than so many failed files are no busy machine: nothing of them is tried again. */
export const filesAgainMax = 6

/** The files of results that failed, each once. Results that are not there have none. */
export function failedFiles(paths: readonly string[]): readonly string[] {
  const failed = paths.flatMap(filesIn).filter(({ status }) => status === 'failed')
  return [...new Set(failed.map(({ name }) => name))]
}

/** Whether each of the files is in the results, and passed there. */
export function havePassed(files: readonly string[], path: string): boolean {
  const passed = filesIn(path).filter(({ status }) => status === 'passed')
  return files.every((file) => passed.some(({ name }) => name === file))
}

function filesIn(path: string): readonly FileResult[] {
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly testResults: readonly FileResult[]
  }
  return testResults
}
