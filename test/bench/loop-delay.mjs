// `node --import loop-delay.mjs PROGRAM`: how long the program's event loop was held, written to $LOOP_DELAY_FILE when it ends.
// SIGUSR2 begins anew: what a start takes is not what is asked for.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
const ms = (nanoseconds) => nanoseconds / 1e6
delay.enable()
process.on('SIGUSR2', () => delay.reset())
process.on('exit', () => {
  const { LOOP_DELAY_FILE: file } = process.env
  const figures = { p50_ms: ms(delay.percentile(50)), p99_ms: ms(delay.percentile(99)), max_ms: ms(delay.max) }
  if (file) writeFileSync(file, JSON.stringify(figures))
})
