import { limits } from '../../limits.ts'
import type { OpenDownloadNeeds } from '../../operations/files/open-download.ts'
import { openDownload } from '../../operations/files/open-download.ts'
import type { TakeProductFileNeeds } from '../../operations/files/product-file.ts'
import { takeProductFile } from '../../operations/files/product-file.ts'
import type { Files } from '../../parts/files/port.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import { fileUploadView } from '../../wire/product-file.ts'
import { byteRange } from '../http/byte-range.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'

export type DownloadPageNeeds = OpenDownloadNeeds &
  Omit<TakeProductFileNeeds, 'storedFiles' | 'businesses' | 'files'> & {
    readonly files: Files
    readonly storedFiles: TakeProductFileNeeds['storedFiles']
  }

/** Addresses that open without a key: downloads, and uploads of a product's files. */
export function downloadPages(needs: DownloadPageNeeds): readonly Route[] {
  return [
    { ...route('GET', '/files/:token', 'public', download), isPage: true },
    {
      ...route('PUT', '/files/uploads/:token', 'public', upload, 'stream'),
      streamBytesMax: limits.fileBytesMax,
    },
  ]

  async function upload(request: Request): Promise<Reply> {
    const file = await takeProductFile(needs, request.mode, {
      token: request.param('token'),
      mediaType: request.header('content-type') ?? 'application/octet-stream',
      content: request.body as AsyncIterable<Uint8Array>,
    })
    return ok(fileUploadView(file.fileId))
  }

  /** A part of it, where one is asked for, of the file as the asker knows it. */
  async function download(request: Request): Promise<Reply> {
    const file = await openDownload(needs, request.mode, request.param('token'))
    const { bytes, digest } = file
    const headers = headersOf(file)
    const known = request.header('if-range')
    const asked = known === null || known === headers.ETag ? request.header('range') : null
    const range = byteRange(asked, bytes)
    if (range === 'none') {
      return { status: 416, raw: '', headers: { ...headers, 'Content-Range': `bytes */${bytes}` } }
    }
    if (range === 'all') {
      return { status: 200, content: { bytes, open: () => needs.files.read(digest) }, headers }
    }
    const { from, to } = range
    return {
      status: 206,
      content: { bytes: to - from + 1, open: () => needs.files.read(digest, range) },
      headers: { ...headers, 'Content-Range': `bytes ${from}-${to}/${bytes}` },
    }
  }
}

/** A file is saved and never shown: what a seller uploads runs nowhere on this host. */
const headersOf = ({ digest, fileName, mediaType }: StoredFile) => ({
  'Content-Type': /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream',
  'Content-Disposition': dispositionOf(fileName ?? 'file'),
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'private, no-store',
  ETag: `"${digest.slice(0, 32)}"`,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
})

/** The name as it is, and in ASCII for those that know no other. [RFC 6266] */
function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\w .()+-]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, percentOf)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

const percentOf = (each: string): string => `%${each.charCodeAt(0).toString(16).toUpperCase()}`
