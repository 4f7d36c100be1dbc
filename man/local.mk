# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += man/thresh.config.5
