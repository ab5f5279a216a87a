import { luaScript } from '../../redis.ts'

// What each is asked and answers stands at its head; the keys of a partition in buckets.lua.

export const lookScript = luaScript(import.meta.url, 'buckets', 'look')
export const markScript = luaScript(import.meta.url, 'buckets', 'garbage', 'mark')
export const resetScript = luaScript(import.meta.url, 'buckets', 'garbage', 'reset')
export const reachScript = luaScript(import.meta.url, 'reach')
export const sizeScript = luaScript(import.meta.url, 'size')
