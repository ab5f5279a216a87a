import { getHeapStatistics } from 'node:v8'

/** How large V8 lets this thread's heap grow before it ends the process. */
export const heapBytesMax: number = getHeapStatistics().heap_size_limit
