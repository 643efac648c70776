import { useView } from '../../store/context.js'
import { TopicsView } from '../topics/TopicsView.js'
import { SamplesView } from './SamplesView.js'
import './records.css'

/** Records seen in the run, or those that stand in the topics. */
export function RecordsTab() {
  const topics = useView((state) => state.params.records) === 'topics'
  return topics ? <TopicsView /> : <SamplesView />
}
