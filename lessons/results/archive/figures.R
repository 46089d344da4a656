# The figures of the page of results from the tables of this archive, in base R. Set the working directory to the
# folder of these files, then source() this one. Each figure prints under the key that also names the page's CSV files.

read <- function(name) read.csv(name, fileEncoding = "UTF-8-BOM", stringsAsFactors = FALSE, na.strings = "", colClasses = NA)
rounds <- read.csv("rounds.csv", fileEncoding = "UTF-8-BOM", stringsAsFactors = FALSE, na.strings = "",
                   colClasses = c(hand = "character"))
tricks <- read("tricks.csv")
forecasts <- read("forecasts.csv")
answers <- read("answers.csv")
exercises <- read("exercises.csv")
misconceptions <- read("misconceptions.csv")
steps <- read("steps.csv")
dealt <- read("dealt.csv")
show <- function(key, rows) if (NROW(rows)) { cat("\n", key, "\n", sep = ""); print(rows, row.names = FALSE) }
rbound <- function(parts) do.call(rbind, Filter(Negate(is.null), parts))

# Allowing for luck: boards are drawn anew, and whole tables (as for the page; degrees of freedom up to 30).
bound <- function(groups) round(qt(.975, min(groups - 1, 30)), 3)
share_between <- function(table, board, came) {
  k <- length(unique(board))
  if (k < 2) return(c(low = NA, high = NA))
  n <- length(came)
  share <- mean(came)
  effective <- sum(tapply(table, board, function(own) length(own) / sqrt(length(unique(own)))))
  varies <- sum(tapply(came - share, board, sum)^2) * k / (k - 1) / n^2
  if (varies > 1e-15) effective <- min(effective, share * (1 - share) / varies)
  w <- bound(k)^2 / effective
  half <- sqrt(w * share * (1 - share) + w^2 / 4)
  c(low = max(0, (share + w / 2 - half) / (1 + w)), high = min(1, (share + w / 2 + half) / (1 + w)))
}
mean_between <- function(table, board, off) {
  if (length(unique(table)) < 2 || length(unique(board)) < 2) return(c(low = NA, high = NA))
  varies <- function(by) {
    k <- length(unique(by))
    bound(k)^2 * max(.5, sum(tapply(off - mean(off), by, sum)^2)) * k / (k - 1) / length(off)^2
  }
  shared <- length(unique(paste(table, board))) > length(unique(board))
  half <- sqrt(varies(table) + if (shared) varies(board) else 0)
  c(low = max(-8, mean(off) - half), high = min(8, mean(off) + half))
}

saved_between <- function(board, ours, other) {
  k <- length(unique(board))
  saved <- 1 - sum(ours) / sum(other)
  if (k < 2 || length(ours) < 10) return(c(low = NA, high = NA))
  weight <- tapply(other, board, sum) / sum(other)
  squares <- max(.5, sum((tapply(other * (1 - saved) - ours, board, sum) / (1 - weight))^2))
  counting <- max(2, floor(1 / sum(weight^2) + 1e-6))
  saved + c(low = -1, high = 1) * bound(counting) * sqrt(squares * k / (k - 1)) / sum(other)
}

values <- function(hand) {
  # The values of the cards of a hand: the sums of their four counts.
  as.integer(sapply(strsplit(strsplit(hand, " ")[[1]], ""), function(counts) sum(as.integer(counts))))
}
rounds$tip <- sapply(rounds$hand, function(hand) sum(values(hand) >= 9))
rounds$tip[rounds$hand == ""] <- NA  # on paper it may not be known
rounds$total <- sapply(rounds$hand, function(hand) sum(values(hand)))
rounds$at <- rounds$sitting
rounds$of <- ifelse(is.na(rounds$board), paste("deal", rounds$deal), paste("board", rounds$game, rounds$board))
counted <- rounds[rounds$counted == 1, ]
bid <- counted[!is.na(counted$bid), ]

# How we bid
show("calibration", rbound(lapply(split(bid, bid$bid), function(r)
  data.frame(bid = r$bid[1], hands = nrow(r), taken = mean(r$taken), true = mean(r$taken == r$bid)))))
if (nrow(bid)) {
  tips <- if (anyNA(bid$tip)) integer(0) else bid$tip - bid$taken
  both <- c(bid$bid - bid$taken, tips)
  at <- min(both):max(both)
  show("bias", data.frame(error = at, ours = sapply(at, function(n) sum(bid$bid - bid$taken == n)),
                          tip = sapply(at, function(n) sum(tips == n))))
  show("bids-and-tricks", table(bid = bid$bid, taken = bid$taken))
  bid$place <- (bid$seat - bid$dealer - 1) %% bid$seats + 1
  show("bids-by-seat", aggregate(bid - taken ~ place, bid, mean))
  show("tables", rbound(lapply(split(bid, list(bid$game, bid$table), drop = TRUE), function(r)
    data.frame(game = r$game[1], table = r$table[1], hands = nrow(r), off = mean(r$bid - r$taken),
               true = mean(r$bid == r$taken)))))
}
show("tip", rbound(lapply(split(counted, counted$tip), function(r)
  data.frame(tip = r$tip[1], hands = nrow(r), taken = mean(r$taken)))))

# Forecasts: chances that were said, in steps of percent, and how often they came true
said <- merge(forecasts[, setdiff(names(forecasts), "student")], counted[, c("deal", "seat", "taken")], by = c("deal", "seat"))
if (nrow(said)) {
  long <- rbound(lapply(0:8, function(n) data.frame(percent = said[[paste0("p", n)]], true = said$taken == n)))
  long$from <- cut(long$percent, c(0, 1, 10, 25, 50, 75, 101), right = FALSE)
  show("forecasts", rbound(lapply(split(long, long$from, drop = TRUE), function(r)
    data.frame(percent = r$from[1], said = nrow(r), mean = mean(r$percent) / 100, true = mean(r$true)))))
}

# What we played
show("points", rbound(lapply(split(counted, list(counted$game, counted$round), drop = TRUE), function(r)
  data.frame(game = r$game[1], round = r$round[1], hands = nrow(r), points = mean(r$points),
             most = mean(ifelse(r$variant == "bid", 7, 8) / r$seats), true = mean(r$bid == r$taken)))))
rounds$fair <- 0
for (key in unique(paste(rounds$game, rounds$board, rounds$seat)[!is.na(rounds$board)])) {
  own <- which(!is.na(rounds$board) & paste(rounds$game, rounds$board, rounds$seat) == key)
  for (i in own) if (length(own) > 1) rounds$fair[i] <- rounds$points[i] - mean(rounds$points[setdiff(own, i)])
}
people <- rounds[!is.na(rounds$student), ]  # a student made every move
for (game in sort(unique(people$game))) {
  own <- people[people$game == game, ]
  places <- rbound(lapply(split(own, own$student, drop = TRUE), function(r)
    data.frame(student = r$student[1], table = r$table[nrow(r)], rounds = nrow(r), fair = sum(r$fair), points = sum(r$points))))
  if (all(is.na(own$board))) places$fair <- NULL  # nobody else held these hands
  rank <- if (is.null(places$fair)) places$points else places$fair
  rank <- if (own$variant[1] == "lose") rank else -rank
  places$place <- rank(round(rank, 9), ties.method = "min")
  show(paste0("standings-", game), places[order(places$place), ])
}
# Experiments: a table's points a hand, less the mean of all who held that hand; whoever came from the other half is left out.
lots <- read("drawn.csv")
for (game in unique(lots$game)) {
  own <- lots[lots$game == game, ]
  played <- rounds[rounds$counted == 1 & rounds$game == game & rounds$table %in% own$table, ]
  played <- played[order(played$round, played$table, played$seat), ]
  played$half <- own$half[match(played$table, own$table)]
  played <- played[is.na(played$student) | played$half == played$half[match(played$student, played$student)], ]
  played <- played[ave(played$points, paste(played$round, played$seat), FUN = length) > 1, ]
  played$beside <- played$points - ave(played$points, paste(played$round, played$seat))
  show(paste0("experiment-", game), data.frame(table = own$table, drawn_for = own$drawn_for,
    points = sapply(own$table, function(n) mean(played$beside[played$table == n])),
    hands = sapply(own$table, function(n) sum(played$table == n)))[order(own$half, own$table), ])
}
boards <- rounds[!is.na(rounds$board), ]
show("same-hand", rbound(lapply(split(boards, list(boards$game, boards$board, boards$seat), drop = TRUE), function(r)
  if (nrow(r) > 1) data.frame(board = r$board[1], seat = r$seat[1] + 1, tables = nrow(r), fewest = min(r$taken),
                              mean = mean(r$taken), most = max(r$taken), points = mean(r$points)))))

# What was dealt: a board that several tables played counts once, prepared hands not at all
drawn <- rounds[rounds$drawn == 1, ]
drawn <- drawn[!duplicated(paste(drawn$of, drawn$seat)), ]
ways <- matrix(0, 9, 97)
ways[1, 1] <- 1
deck <- table(rowSums(expand.grid(1:3, 1:3, 1:3, 1:3)))
for (value in as.integer(names(deck))) {
  further <- matrix(0, 9, 97)
  for (held in 0:8) for (more in 0:min(deck[[as.character(value)]], 8 - held)) {
    moved <- c(rep(0, more * value), ways[held + 1, ])[1:97]
    further[held + more + 1, ] <- further[held + more + 1, ] + moved * choose(deck[[as.character(value)]], more)
  }
  ways <- further
}
chance <- ways[9, ] / choose(81, 8)  # of the totals 0, 1, 2, …
if (nrow(drawn)) {
  bins <- (min(54, drawn$total) %/% 2):(max(75, drawn$total) %/% 2)
  show("hands", data.frame(from = bins / 4, hands = sapply(bins, function(b) sum(drawn$total %/% 2 == b)),
                           expected = sapply(bins, function(b) nrow(drawn) * (chance[2 * b + 1] + chance[2 * b + 2]))))
}
led <- merge(tricks, counted[, c("deal", "seat", "at", "of")], by.x = c("deal", "leader"), by.y = c("deal", "seat"))
led <- led[!is.na(led$chance) & !is.na(led$safe), ]
led$group <- ifelse(led$chance >= 1, 5, pmin(floor(led$chance * 5), 4))
show("leads", rbound(lapply(split(led, led$group), function(r) {
  ends <- if (r$group[1] == 5) c(1, 1) else share_between(r$at, r$of, r$safe)
  data.frame(from = r$group[1] / 5, leads = nrow(r), chance = mean(r$chance), safe = mean(r$safe),
             low = ends[1], high = ends[2], took = mean(r$took))
})))
if (nrow(led)) show("safe leads", data.frame(safe = mean(led$safe), t(share_between(led$at, led$of, led$safe))))

# What we learned
success <- function(r) data.frame(questions = length(unique(r$question)), answers = nrow(r),
  at_once = sum(r$right[r$number == 0]) / length(unique(r$question)),
  right = length(unique(r$question[r$right == 1])), students = length(unique(r$student)))
answers$skill <- exercises$skill[match(answers$exercise, exercises$exercise)]
listed <- function(text) if (is.na(text)) character() else strsplit(text, ";")[[1]]
could <- lapply(exercises$misconceptions, listed)
for (key in c("skill", "exercise")) {
  show(c(skill = "skills", exercise = "exercises")[[key]],
       rbound(lapply(split(answers, answers[[key]]), function(r) cbind(what = r[[key]][1], success(r)))))
}
mastery <- read("mastery.csv")
show("mastery", table(mastery$exercise, mastery$state))
codes <- sort(unique(unlist(lapply(exercises$standards, listed))))
show("standards", rbound(lapply(codes, function(code) {
  asked <- exercises$exercise[sapply(exercises$standards, function(text) code %in% listed(text))]
  own <- answers[answers$exercise %in% asked, ]
  if (nrow(own)) cbind(standard = code, success(own))
})))
show("students", rbound(lapply(split(answers, list(answers$student, answers$skill), drop = TRUE), function(r)
  data.frame(student = r$student[1], skill = r$skill[1], at_once = mean(r$right[r$number == 0])))))
showed <- lapply(answers$misconceptions, listed)
show("misconceptions", rbound(lapply(misconceptions$misconception, function(code) {
  shows <- sapply(showed, function(each) code %in% each)
  met <- shows | sapply(match(answers$exercise, exercises$exercise), function(n) code %in% could[[n]])
  who <- unique(answers$student[shows])
  overcome <- sum(sapply(who, function(student) {
    last <- max(which(shows & answers$student == student))
    any(answers$student == student & seq_along(shows) > last & answers$right == 1 & answers$number == 0 & met)
  }))
  data.frame(mistake = code, students = length(who), open = length(who) - overcome, overcome = overcome,
             answers = sum(shows), met = length(unique(answers$student[met])))
})))

# What the page says in words
if (nrow(bid)) show("bias and spread", data.frame(bias = mean(bid$bid - bid$taken),
  spread = sqrt(mean((bid$bid - bid$taken - mean(bid$bid - bid$taken))^2)), made = mean(bid$bid == bid$taken),
  t(mean_between(bid$at, bid$of, bid$bid - bid$taken))))
if (nrow(drawn)) show("mean card", data.frame(mean = sum(drawn$total) / (8 * nrow(drawn)),
  give_or_take = sqrt(sum(8 / 3 * 8 * (81 - 8 * drawn$seats) / 80)) / (8 * nrow(drawn))))
score <- function(chances, tricks) {
  so_far <- cumsum(as.numeric(chances))[1:8] / sum(as.numeric(chances))
  sum((so_far - (tricks <= 0:7))^2)
}
usual <- read("usual.csv")
judged <- merge(forecasts[, setdiff(names(forecasts), "student")], counted[, c("deal", "seat", "seats", "taken", "of")],
                by = c("deal", "seat"))
if (nrow(judged)) {
  columns <- paste0("p", 0:8)
  mine <- sapply(seq_len(nrow(judged)), function(n) score(judged[n, columns], judged$taken[n]))
  base <- sapply(seq_len(nrow(judged)), function(n) score(usual[usual$seats == judged$seats[n], columns], judged$taken[n]))
  show("forecasts scored", data.frame(score = sum(mine), usual = sum(base), better_by = 1 - sum(mine) / sum(base),
    t(saved_between(judged$of, mine, base))))
}

# Lessons that were held
room <- steps[!is.na(steps$lesson), ]
guesses <- room[room$kind == "predict", ]
for (key in unique(paste0("lesson-", guesses$lesson, "-step-", guesses$step))) if (nrow(guesses))
  show(key, table(guesses$answer[paste0("lesson-", guesses$lesson, "-step-", guesses$step) == key]))
show("steps", rbound(lapply(split(room, list(room$lesson, room$step), drop = TRUE), function(r)
  data.frame(lesson = r$lesson[1], step = r$step[1], students = nrow(r),
             at_once = mean((r$right == 1 & r$tries == 1)[!is.na(r$right)])))))
for (key in unique(paste0("lesson-", dealt$lesson, "-step-", dealt$step))) if (nrow(dealt)) {
  own <- dealt[paste0("lesson-", dealt$lesson, "-step-", dealt$step) == key, ]
  show(key, rbound(lapply(split(own, factor(own$outcome, unique(own$outcome))), function(r)
    data.frame(outcome = r$outcome[1], theory = r$theory[1], counted = sum(r$hands), share = sum(r$hands) / sum(own$hands)))))
}
done <- steps[steps$kind != "solved", ]
show("predictions", rbound(lapply(split(done, done$slug), function(r) {
  before <- r$true[r$kind == "predict" & !is.na(r$true)]
  after <- r[r$kind == "explain" & !is.na(r$right), ]
  data.frame(lesson = r$title[1], students = length(unique(r$student)), predictions = length(before), before = mean(before),
             reasons = nrow(after), after = mean(after$right == 1 & after$tries == 1))
})))
