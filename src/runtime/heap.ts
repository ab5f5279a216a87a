import { getHeapStatistics } from 'node:v8'

/** What V8 lets this thread's heap grow to, before it ends the process. */
export const heapBytesMax: number = getHeapStatistics().heap_size_limit
