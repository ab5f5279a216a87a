import type { Read } from './config-values.ts'
import { ConfigError } from './config-values.ts'
import type { S3Settings } from './parts/files-settings.ts'
import { parseFilesUrl } from './parts/files-settings.ts'

/**
 * Where files are kept; null: in the data directory. The credentials have the names that all tools
 * of the field read.
 */
export function filesOf(read: Read): S3Settings | null {
  const text = read('FILES_URL')
  if (text === null) return null
  const region = read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? 'us-east-1'
  const settings = parseFilesUrl(text, region)
  if (settings === null) {
    throw new ConfigError(
      'FILES_URL must look like s3://bucket/prefix?endpoint=https://storage.example.com&region=eu-central-1; the endpoint is Amazon’s where it names none.',
    )
  }
  const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')]
  if (accessKeyId === null || secretAccessKey === null) {
    throw new ConfigError('FILES_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.')
  }
  return { ...settings, accessKeyId, secretAccessKey, sessionToken: read('AWS_SESSION_TOKEN') }
}
