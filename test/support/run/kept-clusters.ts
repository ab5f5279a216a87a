import { join } from 'node:path'
import { root } from './root.ts'

/** Where the build has put the clusters that those of new data directories are copies of. */
export const keptClusters = join(root, 'dist/clusters')
