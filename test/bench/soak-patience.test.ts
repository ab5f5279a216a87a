import { expect, it } from 'vitest'
import { patience } from '../../bench/macro/soak/patience.ts'

it('a call of the soak is made again after a 503, and after nothing else', async () => {
  const answers = [503, 503, 409, 503, 200, 409]
  const { call, refused } = patience(
    {
      async call<T>() {
        const status = answers.shift() ?? 200
        if (status !== 200) throw new Error(`POST /x was answered ${status}: {}`)
        return { body: 'done' as T, headers: new Headers() }
      },
    },
    0,
  )
  // The first try did it, although its answer was lost.
  expect((await call('POST', '/x')).body).toBeNull()
  expect((await call('POST', '/x')).body).toBe('done')
  await expect(call('POST', '/x')).rejects.toThrow('409')
  expect(refused()).toBe(3)
})
