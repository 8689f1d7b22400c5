import type { CourseKind } from '#src/contract/course.ts'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import { useThings } from '#src/offline/useThings.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { TRIAL_NAMES } from '../texts.ts'
import { barKeys } from './barKeys.ts'
import type { KeptLesson } from './media/doors.ts'
import classes from './Lesson.module.css'
import { isForSale, type PlacedLesson } from './lessons.ts'
import { AudioDeck } from './parts/AudioDeck.tsx'
import { EndCard, type Quiz } from './parts/EndCard.tsx'
import { KeptList } from './parts/KeptList.tsx'
import type { LessonWay } from '../lessonWay.ts'
import { LessonNotes } from './parts/LessonNotes.tsx'
import { LessonList } from './parts/LessonList.tsx'
import { PlaceNotice } from './parts/PlaceNotice.tsx'
import { KeysSheet, QualitySheet, SleepSheet, SpeedSheet } from './parts/Sheets.tsx'
import { ToolRow } from './parts/ToolRow.tsx'
import { Transcript } from './parts/Transcript.tsx'
import { TrialBar } from './parts/TrialBar.tsx'
import { TroubleCard } from './parts/TroubleCard.tsx'
import { Video } from './parts/Video.tsx'
import { QuestionList } from './questions/QuestionList.tsx'
import { useEnded } from './media/useElement.ts'
import type { FromSecond } from './useLesson.ts'
import { type PlayerHandle, usePlayer } from './usePlayer.ts'

/** A lesson whose downloaded copy may be an old one. */
export interface Updated {
  lesson: PlacedLesson
  /** The rev that plays from this device; null: none does. */
  playing: string | null
  /** Opens the lesson again where it stands. */
  onReopen: () => void
}
export interface LessonPlayerProps {
  lesson: PlacedLesson
  /** All that stand beside it, in order. */
  lessons: readonly PlacedLesson[]
  /** Of what the way back leads to. */
  title: string
  /** Lessons that were downloaded; the same function at each drawing. */
  kept: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
  /** The quiz of a unit. */
  quizOf: (courseNo: string, unitNo: string) => Quiz | null
  wayTo: (lessonNo: string) => LessonWay
  onLesson: (lesson: PlacedLesson) => void
  onQuiz: (no: string) => void
  onCourse: () => void
  /** What is said of an update of its download; it belongs to downloads, which themselves bring this player. */
  update: (of: Updated) => ReactNode
  from: FromSecond
}

/** One lesson with all that it takes to watch or hear it; the element stays while lessons change. */
export function LessonPlayer(props: LessonPlayerProps) {
  const { lesson, lessons, title, kept, quizOf, wayTo, onQuiz, onCourse, update } = props
  const player = usePlayer(props)
  const records = useThings('lesson')
  const { element, handle, audio, go } = player
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <Shown {...props} player={player} />
        <div className={classes.about}>
          <BackButton onClick={onCourse}>{title}</BackButton>
          <h1 className={clsx(common.heading, classes.title)}>{lesson.title}</h1>
          <TrialBar lesson={lesson} lessons={lessons} onCourse={onCourse} />
          {update({ lesson, playing: handle.source.kept?.media.rev ?? null, onReopen: handle.reopen })}
          <ToolRow
            audio={audio}
            speed={audio || player.chrome === 'failed' ? player.speed : null}
            quality={player.quality}
            sleep={player.sleep.sleep}
            goesOn={player.goesOn.on}
            onPrevious={player.onPrevious}
            onNext={player.onNext}
            onGoesOn={player.goesOn.toggle}
            onSheet={player.setSheet}
          />
          {handle.source.trouble === 'away' && kept && (
            <KeptList lessons={lessons} kept={kept} wayTo={wayTo} onLesson={go} />
          )}
          <QuestionList handle={player.questions} />
          <LessonNotes key={`notes ${lesson.no}`} element={element} lesson={lesson} onSeek={handle.seek} />
          <Transcript key={lesson.no} element={element} lines={player.said} onSeek={handle.seek} />
        </div>
      </div>
      <LessonList
        lessons={lessons}
        current={lesson.no}
        records={records}
        quizOf={quizOf}
        wayTo={wayTo}
        onLesson={(each) => (each.no === lesson.no ? void element?.play().catch(() => {}) : go(each))}
        onQuiz={onQuiz}
      />
      <Sheets player={player} kind={lesson.course.kind} />
    </div>
  )
}

/** The picture or the deck, with what is said over it. */
function Shown({ player, ...props }: LessonPlayerProps & { player: PlayerHandle }) {
  const { lesson } = props
  const { element, attach, handle, audio, tracks } = player
  const ended = useEnded(element)
  const over = (
    <>
      <p className={unseen.unseen} role="status">
        {ended && `${lesson.title} 播放完毕`}
      </p>
      <Over {...props} player={player} ended={ended} />
    </>
  )
  if (audio)
    return (
      <AudioDeck
        element={element}
        title={lesson.title}
        cover={lesson.course.cover}
        seconds={lesson.seconds}
        tracks={tracks}
        questions={player.questions.questions}
        busy={handle.source.busy}
        onElement={attach}
        onSeek={handle.seek}
        onPrevious={player.onPrevious}
        onNext={player.onNext}
      >
        {over}
      </AudioDeck>
    )
  return (
    <Video
      title={lesson.title}
      seconds={lesson.seconds}
      poster={lesson.course.cover.src}
      tracks={tracks}
      questions={player.questions.questions}
      subtitles={player.subtitles.on}
      speed={player.speed}
      quality={player.quality.text}
      ready={player.chrome === 'ready'}
      onElement={attach}
      onSubtitles={player.subtitles.toggle}
      onSpeed={() => player.setSheet('speed')}
      onQuality={() => player.setSheet('quality')}
      onBarKey={barKeys(element, handle.seek)}
      covered={ended || handle.source.trouble !== null}
    >
      {over}
    </Video>
  )
}

function Over({ player, ended, ...props }: LessonPlayerProps & { player: PlayerHandle; ended: boolean }) {
  const { lesson, lessons, quizOf, onQuiz, onCourse } = props
  const { element, handle, next, goesOn, sleep } = player
  const { trouble } = handle.source
  const forSale = isForSale(lesson.course)
  if (trouble)
    return (
      <TroubleCard
        trouble={trouble}
        at={element?.currentTime ?? 0}
        withdrawn={!forSale}
        onRetry={handle.retry}
        onCourse={onCourse}
      />
    )
  if (!ended) return <PlaceNotice lesson={handle} />
  const after = lessons.slice(lessons.indexOf(lesson) + 1)
  return (
    <EndCard
      key={lesson.no}
      next={next}
      quiz={lesson.last ? quizOf(lesson.course.no, lesson.unit.no) : null}
      locked={after.filter(({ open }) => !open).length}
      trial={TRIAL_NAMES[lesson.course.kind]}
      forSale={forSale}
      goesOn={goesOn.on && !sleep.quiet && !player.questions.asked}
      onNext={() => player.onNext?.()}
      onAgain={handle.startOver}
      onQuiz={onQuiz}
      onCourse={onCourse}
    />
  )
}

function Sheets({ player, kind }: { player: PlayerHandle; kind: CourseKind }) {
  const { sheet, setSheet, speed, setSpeed, sleep, keys, questions, QuestionSheet } = player
  const close = () => setSheet(null)
  if (questions.asked && QuestionSheet)
    return (
      <QuestionSheet
        key={questions.asked.question.no}
        asked={questions.asked}
        time={clockText(questions.asked.at)}
        goOn={player.audio ? '收听' : '观看'}
        stops={questions.stops}
        onStops={questions.toggleStops}
        onDone={questions.done}
      />
    )
  if (sheet === 'speed') return <SpeedSheet speed={speed} onSpeed={setSpeed} onClose={close} />
  if (sheet === 'quality') return <QualitySheet kind={kind} quality={player.quality} onClose={close} />
  if (sheet === 'sleep') return <SleepSheet sleep={sleep.sleep} onSleep={sleep.choose} onClose={close} />
  return sheet === 'keys' && <KeysSheet on={keys.on} onToggle={keys.toggle} onClose={close} />
}
