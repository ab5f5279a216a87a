import { fileURLToPath } from 'node:url'

/** Where the build has put the clusters that those of new data directories are copies of. */
export const keptClusters = fileURLToPath(new URL('../../../dist/clusters', import.meta.url))
