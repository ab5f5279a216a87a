import { requestText } from '../../support/edge/talk.ts'
import { json } from './setup.ts'

/**
 * The request that must never be carried out: it stands where one reader sees a body and another a
 * request.
 */
export const hidden = requestText('POST', '/hidden', { headers: json, body: '{"a":1}' })

/** A first request whose end two readers could see at different places, named for the reason. */
export interface Attack {
  readonly name: string
  readonly text: string
}

const keyed = Object.entries(json).map(([name, value]) => `${name}: ${value}\r\n`)
const first = `POST /things HTTP/1.1\r\nHost: localhost\r\n${keyed.join('')}`
const whole = Buffer.byteLength(hidden)
const chunk = `${whole.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`

/**
 * Attacks by headers of the first request; then a body that is, or contains, the hidden request.
 */
const headed: readonly (readonly [name: string, lines: string, body: string])[] = [
  ['a short length before the right one', lengths('2', String(whole + 2)), `{}${hidden}`],
  ['a long length before the right one', lengths(String(whole + 2), '2'), `{}${hidden}`],
  ['no length before the right one', lengths('0', String(whole)), hidden],
  ['a list of lengths', 'Content-Length: 2, 2', `{}${hidden}`],
  ['a list of two lengths', `Content-Length: 0, ${whole}`, hidden],
  ['the same length twice', lengths('2', '2'), `{}${hidden}`],
  ['an empty length', 'Content-Length:', hidden],
  ['a blank length', 'Content-Length:  ', hidden],
  ['an empty length and one', lengths('', String(whole)), hidden],
  ['a signed length', 'Content-Length: +0', hidden],
  ['a negative length', 'Content-Length: -1', hidden],
  ['a hexadecimal length', `Content-Length: 0x${whole.toString(16)}`, hidden],
  ['a length with a fraction', 'Content-Length: 0.0', hidden],
  ['a length with an exponent', 'Content-Length: 0e3', hidden],
  ['a length with blanks inside', 'Content-Length: 0 0', hidden],
  ['a length that wraps around 2^32', 'Content-Length: 4294967296', hidden],
  ['a length that wraps around 2^64', 'Content-Length: 18446744073709551616', hidden],
  ['a length behind a blank name', `Content-Length : ${whole}`, hidden],
  ['a length on a folded line', `Content-Length:\r\n ${whole}`, hidden],
  ['a length behind a bare line feed', `X: a\nContent-Length: ${whole}`, hidden],
  ['a length behind a bare return', `X: a\rContent-Length: ${whole}`, hidden],
  ['a length behind a control character', `\x0bContent-Length: ${whole}`, hidden],
  ['a length with a null in its name', `Content-Length\0: ${whole}`, hidden],
  ['a length and chunks', `${lengths('2')}\r\n${coding('chunked')}`, `{}${hidden}`],
  [
    'chunks and a length',
    `${coding('chunked')}\r\n${lengths(String(whole))}`,
    `0\r\n\r\n${hidden}`,
  ],
  ['a coding that starts with chunked', coding('chunkedx'), `0\r\n\r\n${hidden}`],
  ['a coding that ends with chunked', coding('xchunked'), `0\r\n\r\n${hidden}`],
  ['an unknown coding', coding('identity'), `0\r\n\r\n${hidden}`],
  ['an empty coding', coding(''), `0\r\n\r\n${hidden}`],
  ['an empty coding and a length', `${coding('')}\r\n${lengths('0')}`, hidden],
  ['a quoted coding', coding('"chunked"'), `0\r\n\r\n${hidden}`],
  ['a coding with a parameter', coding('chunked;q=1'), `0\r\n\r\n${hidden}`],
  ['a coding with a null', coding('chunked\0'), `0\r\n\r\n${hidden}`],
  ['a coding behind a tab', coding('\vchunked'), `0\r\n\r\n${hidden}`],
  ['two codings in a list', coding('gzip, chunked'), `0\r\n\r\n${hidden}`],
  ['two codings, the chunks first', coding('chunked, gzip'), `0\r\n\r\n${hidden}`],
  ['two lists of codings', `${coding('gzip')}\r\n${coding('chunked')}`, `0\r\n\r\n${hidden}`],
  ['chunked twice', `${coding('chunked')}\r\n${coding('chunked')}`, `0\r\n\r\n${hidden}`],
  ['a hidden request in chunks of two codings', coding('gzip, chunked'), chunk],
  ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked', `0\r\n\r\n${hidden}`],
  ['a coding behind a blank name', 'Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
  ['a coding behind a bare line feed', `${lengths('0')}\r\nX: a\n${coding('chunked')}`, hidden],
  ['a second host', 'Host: evil\r\nContent-Length: 2', `{}${hidden}`],
  ['a name that is none', 'a(b: c\r\nContent-Length: 2', `{}${hidden}`],
  ['no name', ': c\r\nContent-Length: 2', `{}${hidden}`],
  ['a length behind no name', `: c\r\nContent-Length: ${whole}`, hidden],
  ['a coding behind no name', `: c\r\n${coding('chunked')}`, chunk],
  ['a value with a control character', 'X: a\x01b\r\nContent-Length: 2', `{}${hidden}`],
  ['the last request said', 'Connection: close\r\nContent-Length: 2', `{}${hidden}`],
]

/** Attacks by how chunks end, which the native engines never show. */
const chunked: readonly (readonly [name: string, body: string])[] = [
  ['lines of chunks that end with a line feed alone', `2\n{}\n0\n\n${hidden}`],
  ['a last chunk that ends with a line feed alone', `2\r\n{}\r\n0\n\n${hidden}`],
  ['an extension with a line feed', `2;\n{}\r\n0\r\n\r\n${hidden}`],
  ['an extension that hides a line', `2;a\n\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['a size with a sign', `+2\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['a size in another notation', `0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['a size that wraps around', `10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['no size', `\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['a chunk that is longer than said', `2\r\n{}xx0\r\n\r\n${hidden}`],
  ['a trailer that frames', `2\r\n{}\r\n0\r\nContent-Length: ${whole}\r\n\r\n${hidden}`],
  ['a chunk of a sound body', `2\r\n{}\r\n0\r\n\r\n${hidden}`],
]

export const attacks: readonly Attack[] = [
  ...headed.map(([name, lines, body]) => ({ name, text: `${first}${lines}\r\n\r\n${body}` })),
  ...chunked.map(([name, body]) => ({
    name,
    text: `${first}Transfer-Encoding: chunked\r\n\r\n${body}`,
  })),
]

function lengths(...all: readonly string[]): string {
  return all.map((length) => `Content-Length: ${length}`).join('\r\n')
}

function coding(name: string): string {
  return `Transfer-Encoding: ${name}`
}
