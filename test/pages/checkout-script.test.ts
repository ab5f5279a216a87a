import { describe, expect, it } from 'vitest'

interface Script {
  inGroups(text: string): string
  withStroke(text: string): string
}

const script = async (): Promise<Script> => {
  const file: string = new URL('../../src/pages/browser/checkout.mjs', import.meta.url).href
  return (await import(file)) as Script
}

describe('the script of a checkout page [payments#pages]', () => {
  it('groups the digits of a card as they stand on it', async () => {
    const { inGroups } = await script()
    expect(['', '4', '4242', '42424', '4242 4242x42'].map(inGroups)).toEqual([
      ...['', '4', '4242', '4242 4'],
      '4242 4242 42',
    ])
    expect(inGroups('1'.repeat(30))).toBe('1111 1111 1111 1111 111')
  })

  it('puts a stroke between month and year', async () => {
    const { withStroke } = await script()
    const typed = ['', '1', '12', '123', '1239', '12/39', '12/2039', '9', '939']
    expect(['12/20', '12/203', '12/2039', '12/399'].map(withStroke)).toEqual([
      ...['12/20', '12/203', '12/39', '12/39'],
    ])
    expect(typed.map(withStroke)).toEqual([
      ...['', '1', '12', '12/3', '12/39', '12/39'],
      ...['12/39', '09', '09/39'],
    ])
  })
})
