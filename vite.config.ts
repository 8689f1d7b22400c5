import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { contract } from './src/contract/index.ts'
import { keptPaths } from './src/contract/kept.ts'
import { compressed } from './tools/compressed.ts'
import { html } from './tools/html.ts'
import { oldest } from './tools/oldest.ts'
import { parts } from './tools/parts.ts'
import { passwords } from './tools/passwords.ts'
import { pdfFiles } from './tools/pdfFiles.ts'
import { pwa } from './tools/pwa.ts'
import { regions } from './tools/regions.ts'

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
    }),
    react(),
    html(),
    regions(),
    passwords(),
    pdfFiles(),
    oldest(),
    parts(),
    pwa(),
    compressed(),
  ],
  // React has had it since 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  define: { __KEPT_PATHS__: JSON.stringify(keptPaths(contract)), __VERSION__: JSON.stringify(packageJson.version) },
  build: {
    target: ['chrome108', 'safari15.4', 'firefox108'],
    sourcemap: false,
    // It runs when the entry does, and there is nothing left to preload by then.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schemas that no code of the browser asks for stay out of it.
      treeshake: { moduleSideEffects: [{ test: /\/src\/contract\//, sideEffects: false }] },
      output: {
        // Without a route's parameters: every name stands in the worker's list.
        chunkFileNames: ({ name }) => `assets/${name.split('.')[0]}-[hash:7].js`,
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // Two files start the app: what changes rarely, and what changes at each release.
          groups: [
            { name: 'vendor', test: /rolldown\/runtime/ },
            { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
            { name: 'app', tags: ['$initial'] },
            // What more than one of the first screens needs.
            {
              name: 'app',
              includeDependenciesRecursively: false,
              test: /src\/(ui\/(More|dates|typing)|features\/question\/parts\/StudySkeleton\.module|domain\/day\.|features\/stats\/lazy)|icons\/Icon(AdjustmentsHorizontal|ChevronDown|PlayerPlayFilled|Search)\.mjs/,
            },
            // The list of libraries.
            {
              name: 'library',
              includeDependenciesRecursively: false,
              test: /src\/(features\/question\/(LibraryPage|parts\/(Library|SearchOpener))|routes\/_shell\/question\/library\.tsx\?)/,
            },
            // What studying needs behind the first question: each file of its own costs the worker 45 bytes.
            {
              name: 'study',
              includeDependenciesRecursively: false,
              test: /src\/(player\/(AnswerSheet|FirstHint|Tools|toolKeys|Marks\.tsx|undo|Pad|usePen|useStrikes|strokes|useDrawings|SettingsSheet|DeviceSettings|KeysSheet|AutoNext|arrange|prefs|[eE]xam)|features\/question\/(later|selection|setup|facts|mayDrop|parts\/(BatchSummary|DayLine|Done|HandIn|Setup))|domain\/(letters|shuffle)|ui\/Choices)/,
            },
            // What both of its neighbours need.
            {
              name: 'own',
              includeDependenciesRecursively: false,
              test: /src\/(player\/marks\.ts|offline\/(questions|onDevice)|features\/question\/here)/,
            },
            // A student's own lists: what their screens and sheets share comes once.
            {
              name: 'marks',
              includeDependenciesRecursively: false,
              test: /src\/(player\/(FolderSheet|NoteSheet|useNoteDraft|Marks\.module)|features\/question\/(CollectPage|NotePage|noteFile|marked|list|ListStudy|parts\/Marked)|features\/course\/notes|domain\/lessonNotes|search\/text|routes\/_shell\/(user\/my_(collect|note|error)|question\/library_(collect|note|error)_study))|icons\/IconPencilPlus\.mjs/,
            },
            // Formulae as text: needed by lists, search, messages and what follows the first question, by none of them alone.
            { name: 'plain', test: /src\/domain\/(plainText|formulaText|formulaLine|mathml|searchText)\.ts/ },
            // How ops are folded: read by what writes and by what takes in answers, never by a first screen that only reads.
            {
              name: 'record',
              test: /src\/(offline\/(write|fold)|domain\/(study|review|sums|things|marking|watched|goOn))|node_modules\/ts-fsrs/,
            },
            // One file: cut up by which screens share what, the first question would be 1.5 KB more.
            {
              name: 'player',
              test: /src\/(player\/(?!AnswerSheet|FirstHint|Score|SectionLine|[tT]ool|[mM]arks|undo|FolderSheet|NoteSheet|useNoteDraft|Pad|usePen|useStrikes|strokes|useDrawings|SettingsSheet|DeviceSettings|KeysSheet|AutoNext|arrange|prefs|[eE]xam|Insight|ReportForm|reasons|[bB]ook|History)|contract\/question\.ts|features\/question\/(StudyPage|[bB]atch|block)|routes\/_shell\/question\/library_study|ui\/RichText)|node_modules\/dompurify/,
            },
            // Today's panel, and what leads to the statistics; these are a file of their own.
            {
              name: 'today',
              test: /src\/(contract\/point|api\/points|offline\/useRecord|domain\/(stats|plan|errorBook)|offline\/(figures|useFigures|reviews)|features\/stats\/(TodayPanel|StatsOpener|queries|texts|Today\.))|icons\/IconChartBar\.mjs/,
              includeDependenciesRecursively: false,
            },
            // The error book, and what of it stands under a marked question.
            {
              name: 'book',
              test: /src\/(player\/([bB]ook|History)|features\/question\/book\/(?!Rule|Print))/,
            },
            // Whatever is about downloads and their pictures: each file more is a line more in the worker's list.
            {
              name: 'packs',
              test: /src\/(domain\/bytes|offline\/(pack[sDS]|board|runs|trouble|network|usePacks)|features\/(question\/(PackSettings|parts\/[Pp]ack)|course\/download\/Download\.module)|ui\/(savedPictures|ProgressLine))/,
            },
            // Downloads of lessons, the engine with its screens' parts: nothing of it comes before somebody has or wants one.
            {
              name: 'lessons',
              includeDependenciesRecursively: false,
              test: /src\/(domain\/entitlement|offline\/(lesson|media|seen|useLessons)|features\/course\/download\/(?!Download\.module))|icons\/IconCloudCheck\.mjs/,
            },
            // What the screens behind the first one ask for, for the same reason.
            {
              name: 'calls',
              includeDependenciesRecursively: false,
              test: /src\/contract\/(attempt|course|exam|examHead|login|news|questionSet|store|testing|vip)\.ts/,
            },
            // Of the home page what comes after its first paint, and 平台承诺, to which its footer leads.
            {
              name: 'home',
              includeDependenciesRecursively: false,
              test: /src\/(features\/home\/(later|parts\/(?!Slide|Cover|Room|Remembered))|contract\/(homeData|promise)|domain\/(examDay|banner|promise)|app\/PlatformPromise|routes\/_shell\/platform_promise)/,
            },
            // A lesson's screen; the controls over a picture and the reader of playlists are files of their own, fetched when needed.
            {
              name: 'lesson',
              includeDependenciesRecursively: false,
              test: /src\/(features\/course\/lesson\/(?!chrome|hls|questions\/QuestionSheet)|domain\/transcript|features\/testing\/useUnitQuiz|routes\/_shell\/course\/course_(video|audio))|icons\/Icon(BadgeCc|Keyboard\.|PlayerTrack|PlayerPauseFilled|Rewind|Gauge\.|MoonStars|ClipboardCheck)/,
            },
            // How the app is installed: nothing to be done without a network.
            { name: 'install', includeDependenciesRecursively: false, test: /src\/install\/(?!InstallOpener)/ },
            // The reader of documents, which is not precached (tools/pwa.ts): its styles come with it.
            {
              name: 'pdf',
              test: /src\/features\/pdf\/(?!PdfPage|useOpening)|node_modules\/pdfjs-dist/,
              includeDependenciesRecursively: false,
            },
            // Courses: their list, what one of them is, and one's own.
            {
              name: 'course',
              includeDependenciesRecursively: false,
              test: /src\/(features\/course\/(Course|Package|MyCourses|KeptCoursesPage|parts\/|progress)|domain\/courses|features\/testing\/UnitQuiz|routes\/_shell\/(course\/(-|course_(list|detail|package))|user\/my_course))|icons\/Icon(FileText|Writing|Headphones)\.mjs/,
            },
            // What lists of what can be opened share, and the like: each file of its own would cost more than it holds.
            {
              name: 'listing',
              test: /src\/(domain\/(words|lengths|paper)|player\/(Score|SectionLine)|ui\/(Listed|Listing|sight|entry|place|Badges|Skeleton|SearchField|useWords|Unseen|useAtTop|download|faults)|sale\/(Buy|Sale\.module|money)|domain\/products|routes\/-leave|offline\/(useServerNow|useThings)|features\/(questionSet|testing|exam|course)\/(queries|texts))|icons\/Icon(Lock|CircleCheck)\.mjs/,
              includeDependenciesRecursively: false,
            },
            // What happened while the student was away: the bar leads to the sheet, and to 我的纠错.
            { name: 'inbox', includeDependenciesRecursively: false, test: /src\/(features\/inbox|player\/reasons)/ },
            // List, article and calendar: who reads one reads another. What is fetched ahead comes without them.
            {
              name: 'news',
              includeDependenciesRecursively: false,
              test: /src\/(features\/news\/(?!ahead)|routes\/_shell\/news|domain\/(news|ics)|contract\/news|api\/pages)|@tanstack\/.*[iI]nfiniteQuery|icons\/Icon(Calendar(Event|Plus)|Share2)\.mjs/,
            },
            // What sets and testings say of themselves, and how both begin.
            {
              name: 'papers',
              includeDependenciesRecursively: false,
              test: /src\/(features\/(questionSet|testing)\/(queries|texts|Sets|Testings)|sitting\/(Choice|ModePicker|PastSittings))/,
            },
            // One testing, from what it is to how it went.
            {
              name: 'testing',
              includeDependenciesRecursively: false,
              test: /src\/(features\/testing\/(Testing(Detail|Study|Analysis)|Advice|sheet)|routes\/_shell\/testing)/,
            },
            // What was seen of one's money, and whether it still holds: of the shop's screens and the addresses'.
            { name: 'seen', includeDependenciesRecursively: false, test: /src\/sale\/seen/ },
            // What is sold: books and VIP packages.
            {
              name: 'shop',
              includeDependenciesRecursively: false,
              test: /src\/(sale|features\/(store|vip|order|wallet|coupon)|domain\/(books|vip|order|quantities|couponCode)|contract\/(order|wallet|coupon)|routes\/_shell\/(store|vip|order|user\/my_(vip|order|wallet|coupon)))|icons\/Icon(Minus|Plus|Crown|Hourglass|Book|School|ClipboardText)\.mjs/,
            },
            // Logging in, with the fields that one's own data are typed into.
            {
              name: 'forms',
              includeDependenciesRecursively: false,
              test: /src\/(ui\/Forms|features\/login\/(LoginDialog|Told|ImageCodeDialog|useCodeField|useCountdown|faults|wanted))|node_modules\/(@mantine|clsx)/,
            },
            // What is done with the account itself, none of it without a network.
            {
              name: 'security',
              includeDependenciesRecursively: false,
              test: /src\/(features\/(login\/(security|Change|CloseAccount|Devices|useProof)|account\/leaveForGood)|offline\/forget)|icons\/IconDevice(Desktop|Mobile)\.mjs/,
            },
            // Addresses: their screen, and what a payment asks for one with.
            {
              name: 'address',
              includeDependenciesRecursively: false,
              test: /src\/(features\/address|domain\/(regions|addressText)|contract\/address|routes\/_shell\/user\/my_address)|icons\/IconMapPin\.mjs/,
            },
            { name: 'regions', includeDependenciesRecursively: false, test: /virtual:regions/ },
            { name: 'passwords', includeDependenciesRecursively: false, test: /virtual:passwords/ },
            // The frame of one's own screens, and what is said to a visitor at its door.
            {
              name: 'user',
              includeDependenciesRecursively: false,
              test: /src\/(app\/(UserLayout|offerLogin)|routes\/_shell\/user\/route)/,
            },
            // One file for screens that few open.
            {
              name: 'rare',
              test: /src\/(routes\/_shell\/(pdf|\$\.)|routes\/auto_close|app\/AutoClose|features\/pdf\/(PdfPage|useOpening)|offline\/(documents|documentParts|arriving)|domain\/documentUrl)/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/pcapi': 'http://127.0.0.1:8787',
      '/pay': 'http://127.0.0.1:8787',
      '/media': 'http://127.0.0.1:8787',
      '/bucket': { target: 'http://127.0.0.1:8787', changeOrigin: false },
    },
  },
})
