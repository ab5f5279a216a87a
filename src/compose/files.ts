import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openFolderFiles } from '../parts/files/folder/files.ts'
import type { Files } from '../parts/files/port.ts'
import { openS3Files } from '../parts/files/s3/files.ts'
import type { Logger } from '../runtime/logger.ts'

/** Where files lie in the data directory. */
export const filesFolderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'files')

/** Images and files: in the data directory, or in the storage that FILES_URL names. */
export async function openFiles(config: Config, logger: Logger): Promise<Files> {
  const folder = filesFolderOf(config)
  if (config.files === null) return openFolderFiles(folder)
  return openS3Files({ settings: config.files, incoming: join(folder, 'incoming'), logger })
}
