import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconCloudCheck } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { COURSE_KINDS, type CourseHead, type PackageHead } from '#src/contract/course.ts'
import {
  arranged,
  COURSE_PRICES,
  COURSE_SORTS,
  type CourseFilter,
  filterOf,
  findCourses,
  findPackages,
  subjectsOf,
} from '#src/domain/course/courses.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Select } from '#src/ui/Select.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { useWords } from '#src/ui/text/useWords.ts'
import common from '#src/ui/common.module.css'
import listing from '#src/ui/list/Listing.module.css'
import classes from './Courses.module.css'
import { CourseCard, PackageCard } from './parts/CourseCard.tsx'
import { courseListQuery, packageListQuery } from './queries.ts'
import { KIND_NAMES } from './texts.ts'

const PRICE_NAMES = { free: '免费', paid: '付费', vip: 'VIP' }
const SORT_NAMES = {
  default: '综合排序',
  newest: '最新上架',
  cheapest: '价格最低',
  dearest: '价格最高',
  longest: '时长最长',
}

/** What is on this phone, for whoever holds it. */
const KEPT = { kept: true }

interface CourseListPageProps {
  filter: CourseFilter
  onFilter: (filter: CourseFilter) => void
}

/** 课程 of the direction: found on the device, so that filters and words cost no network. */
export function CourseListPage({ filter, onFilter }: CourseListPageProps) {
  const courses = useQuery(courseListQuery())
  const { data: packages = [] } = useQuery(packageListQuery())
  const watched = useThings('lesson')
  const all = courses.data ?? []
  const rows = arranged(findPackages(packages, filter), findCourses(all, filter), filter.sort)
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <div className={common.between}>
        <h1 className={listing.pageTitle}>课程</h1>
        <Link to="/course/course_list" search={KEPT} {...buttonLook({ look: 'light', small: true })}>
          <IconCloudCheck size={18} aria-hidden="true" />
          已下载课程
        </Link>
      </div>
      {all.length > 0 && <Filters all={all} filter={filter} onFilter={onFilter} />}
      <Listed<CourseHead | PackageHead>
        name={JSON.stringify(filter)}
        label="课程"
        from={courses}
        rows={rows}
        keyOf={({ no }) => no}
        empty={all.length > 0 ? <NothingFound onClear={() => onFilter(filterOf({}))} /> : undefined}
      >
        {(each) => ('courses' in each ? <PackageCard of={each} /> : <CourseCard course={each} watched={watched} />)}
      </Listed>
    </div>
  )
}

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <Empty of="course">
    <p>没有找到符合条件的课程</p>
    <Button look="light" onClick={onClear}>
      清除筛选
    </Button>
  </Empty>
)

interface FiltersProps {
  all: readonly CourseHead[]
  filter: CourseFilter
  onFilter: (filter: CourseFilter) => void
}

function Filters({ all, filter, onFilter }: FiltersProps) {
  const set = (change: Partial<CourseFilter>) => onFilter({ ...filter, ...change })
  const { words, onWords } = useWords(filter.words, (next) => set({ words: next }))
  return (
    <div className={clsx(common.stack, classes.filters)} role="search">
      <SearchField aria-label="搜索课程" placeholder="搜索课程、老师" defaultValue={words} onWords={onWords} />
      <Chips
        label="科目"
        options={[{ value: '', label: '全部' }, ...subjectsOf(all).map(({ no, name }) => ({ value: no, label: name }))]}
        chosen={filter.subject}
        onPick={(subject) => set({ subject })}
      />
      <div className={classes.selects}>
        <Pick
          label="形式"
          any="全部形式"
          value={filter.kind}
          options={COURSE_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
          onPick={(kind) => set({ kind })}
        />
        <Pick
          label="价格"
          any="全部价格"
          value={filter.price}
          options={COURSE_PRICES.map((price) => [price, PRICE_NAMES[price]])}
          onPick={(price) => set({ price })}
        />
        <Pick
          label="排序"
          value={filter.sort}
          options={COURSE_SORTS.map((sort) => [sort, SORT_NAMES[sort]])}
          onPick={(sort) => set({ sort: sort ?? 'default' })}
        />
      </div>
    </div>
  )
}

interface PickProps<T extends string> {
  label: string
  /** Name of no choice; left out where there always is one. */
  any?: string
  value: T | null
  options: readonly (readonly [T, string])[]
  onPick: (value: T | null) => void
}

/** The phone's own list to choose from. */
function Pick<T extends string>({ label, any, value, options, onPick }: PickProps<T>) {
  return (
    <Select
      aria-label={label}
      value={value ?? ''}
      data-chosen={(any !== undefined && value !== null) || undefined}
      onChange={({ target }) => onPick(options.find(([each]) => each === target.value)?.[0] ?? null)}
    >
      {any !== undefined && <option value="">{any}</option>}
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  )
}
