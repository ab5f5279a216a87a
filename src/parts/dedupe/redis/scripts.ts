import { luaScript } from '../../redis.ts'

// The head of each script says what it is asked and answers; buckets.lua explains the keys.

export const lookScript = luaScript(import.meta.url, 'buckets', 'look')
export const markScript = luaScript(import.meta.url, 'buckets', 'garbage', 'mark')
export const resetScript = luaScript(import.meta.url, 'buckets', 'garbage', 'reset')
export const reachScript = luaScript(import.meta.url, 'reach')
export const newsScript = luaScript(import.meta.url, 'news')
export const pourScript = luaScript(import.meta.url, 'buckets', 'pour')
export const sizeScript = luaScript(import.meta.url, 'size')
