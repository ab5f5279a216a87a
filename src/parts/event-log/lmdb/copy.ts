import { openLogTables } from './tables.ts'

/** Copies the log in `directory` as it is at one moment, from any process, into an empty folder. */
export async function copyLmdbLog(directory: string, folder: string): Promise<void> {
  const { environment } = await openLogTables(directory, null)
  try {
    await environment.copyTo(folder)
  } finally {
    await environment.close()
  }
}
