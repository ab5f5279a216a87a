import type { Reply } from '../../edge/http/route.ts'

export const seeOther = (location: string): Reply => ({
  status: 303,
  raw: '',
  headers: { Location: location, 'Content-Type': 'text/plain', ...safe },
})

/** `fonts`: the origins from which the page takes fonts; nothing else is loaded. */
export const pageReply = (status: number, raw: string, fonts: readonly string[] = []): Reply => ({
  status,
  raw,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    ...safe,
    ...(fonts.length === 0
      ? {}
      : { 'Content-Security-Policy': `${policy}; font-src ${fonts.join(' ')}` }),
  },
})

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** Nothing is loaded, nothing is cached, and no other page shows it in a frame. */
const safe = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const
