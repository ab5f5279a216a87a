// Suites of three processes on real servers, in this order: what is away, and what comes of it.
// The table in deploy/README.md names them.
import './degradation/redis.ts'
import './degradation/kafka.ts'
import './degradation/postgres.ts'
import './degradation/network.ts'
import './degradation/stopping.ts'
import './degradation/books.ts'
