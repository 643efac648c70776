import { processorOf, valueProcessorOf } from '../functions/processors.js'
import { transformerOf } from '../functions/transformers.js'
import type { JsonObject } from '../strict.js'
import type { Building } from './Building.js'
import { storeBuilder } from './stores.js'

/** A processor's supplier, with the stores that it brings along. */
export function processorSupplier(text: unknown, provides: unknown, building: Building): any {
  return { ...provided(provides, building), get: processorOf(text, building.store) }
}

export function valueProcessorSupplier(text: unknown, provides: unknown, building: Building): any {
  return { ...provided(provides, building), get: valueProcessorOf(text, building.store) }
}

export function transformerSupplier(text: unknown, building: Building): any {
  return { get: transformerOf(text, building.store) }
}

function provided(descriptions: unknown, building: Building): object {
  if (descriptions === undefined) return {}
  return { stores: (descriptions as JsonObject[]).map((description) => storeBuilder(description, building)) }
}
