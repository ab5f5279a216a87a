import { describe, expect, it } from 'vitest'
import { csvLine } from '../../src/std/csv.ts'

describe('a line of CSV', () => {
  it('quotes what needs it, and leaves what is not there empty', () => {
    expect(csvLine(['a', null, undefined, 1.5, true, 'b,c', 'd"e', 'f\r\ng', { h: 1 }])).toBe(
      'a,,,1.5,true,"b,c","d""e","f\r\ng","{""h"":1}"\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '-', '--1', '-1e5', '\n=1'])(
    'makes a text of %j, which a spreadsheet would carry out',
    (text) => {
      expect(csvLine([text]).replace(/^"/, '').startsWith("'")).toBe(true)
    },
  )

  it('leaves numbers what they are', () => {
    expect(csvLine([-5, '-12.50', '7', -0.5])).toBe('-5,-12.50,7,-0.5\r\n')
  })
})
