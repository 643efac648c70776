export * from './AnalysisResult.js'
