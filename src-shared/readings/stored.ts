import { z } from 'zod'
import { type FieldReading, readFields, readingSources } from '#shared/readings/reading'

const place = z.object({ page: z.int(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })

/** A reading as it is stored, sent between processes, and shown. */
export const readingSchema = z
  .object({
    field: z.enum(readFields),
    value: z.string(),
    probability: z.number(),
    source: z.enum(readingSources),
    place: place.optional(),
  })
  .meta({ id: 'FieldReading' })

/** All that was read from a receipt. */
export const readingsSchema: z.ZodType<FieldReading[]> = z.array(readingSchema)
